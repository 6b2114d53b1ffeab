"""What is printed in the box: map, tiles, companies, trains, market."""
