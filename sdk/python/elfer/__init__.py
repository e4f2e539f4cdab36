"""Write a bot that plays the card game Elfer raus!"""
