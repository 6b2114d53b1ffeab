// @ts-check
// The board page: its parts, and what begins first.

import * as act from "./act.js";
import * as history from "./history.js";
import "./keys.js";
import "./notes.js";

act.start();
history.begin();
