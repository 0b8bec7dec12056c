// The page's own protocol instead of file://: it has an origin, so that `'self'` means this folder, workers start without special rights, and
// the policy comes as a header that the worker gets too.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { protocol } from "electron";
import { siteOf } from "../site.mjs";

export const ORIGIN = "inspector://page";

/** What build.mjs builds. */
const FOLDER = join(import.meta.dirname, "../../../build/inspector");

/** Before the application is ready. */
export function announceProtocol() {
  protocol.registerSchemesAsPrivileged([{ scheme: "inspector", privileges: { standard: true, secure: true, codeCache: true } }]);
}

/** When it is. */
export function serveProtocol(folder = FOLDER) {
  if (!existsSync(join(folder, "index.html")))
    throw new Error("its page has not been built: node examples/electron-save-inspector/build.mjs");
  const answer = siteOf(folder);
  protocol.handle("inspector", (request) => {
    const url = new URL(request.url);
    const { status, headers, body } = url.host === "page" && request.method === "GET" ? answer(url.pathname) : { status: 404 };
    return new Response(body, { status, headers });
  });
}
