#!/bin/sh
# Prints the Python that the environment is made of: the first that is new enough and was built with optimisation (by a tenth faster;
# Debian's always is), else python3.
here=$(dirname "$0")
for python in python3 /usr/bin/python3 python3.13 python3.12 python3.11; do
    if "$python" "$here/../bot/interpreter.py" 2>/dev/null && "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        echo "$python"
        exit 0
    fi
done
echo python3
