"""Best routes, exactly: graph, train data, enumeration, selection. Knows nothing of titles."""
