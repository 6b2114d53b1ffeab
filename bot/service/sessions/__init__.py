"""What every act at a table needs: locks, versions, the present position, rights, places, clocks."""
