"""A tournament referee for bots that play the card game Elfer raus!"""
