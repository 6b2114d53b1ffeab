// @ts-check
// The board page: its parts, and what begins first.

import * as act from "./act.js";
import * as history from "./history.js";
import "./keys.js";
import "./notes.js";
import "./plan.js";
import * as push from "./push.js";

act.start();
history.begin();
push.begin();
