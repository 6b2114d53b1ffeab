"""Every command once: name, parameters, right, help and what it does; the front doors are adapters."""
