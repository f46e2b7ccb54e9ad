// Sends the answer on to the application. Without a script the person presses the button.
"use strict";
document.getElementById("form-post").submit();
