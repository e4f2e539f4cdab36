"""The Play service, and the codec between records and bytes."""
