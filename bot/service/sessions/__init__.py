"""The needs of every act at a table: locks, versions, the present position, rights, places, clocks."""
