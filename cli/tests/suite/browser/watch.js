// Stands before everything else in a page under test: what goes wrong is kept.
window.wrongs = [];
addEventListener("error", (event) => window.wrongs.push(event.message));
addEventListener("unhandledrejection", (event) => window.wrongs.push(String(event.reason)));
addEventListener("securitypolicyviolation", (event) => window.wrongs.push(`${event.violatedDirective}: ${event.blockedURI}`));
for (const kind of ["error", "warn"]) console[kind] = (...told) => window.wrongs.push(told.join(" "));
