// `npm run inspector`: the inspector as a page on this computer. Serves the few files of the page and nothing else, to this computer alone.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { isProgram } from "../../scripts/is-program.mjs";
import { buildInspector } from "./build.mjs";
import { siteOf } from "./site.mjs";

const PORT = 4173;

/** `port` 0: any that is free. `folder`: where the page is built. */
export async function serveInspector(port = PORT, folder = undefined) {
  const answer = siteOf(await buildInspector(folder));
  const server = createServer((request, response) => {
    // Other sites may have their names lead here; they get nothing.
    const isLocal = /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? "");
    // No URL is made of it: what programs send need not be one.
    const [path] = request.url.split("?", 1);
    const { status, headers, body } = isLocal && request.method === "GET" ? answer(path) : { status: 404 };
    response.writeHead(status, headers).end(body);
  });
  await new Promise((resolve, reject) => {
    server.once("error", (error) => (error.code === "EADDRINUSE" && port !== 0 ? server.listen(0, "127.0.0.1") : reject(error)));
    server.once("listening", resolve);
    server.listen(port, "127.0.0.1");
  });
  // By number: the name may lead to another program, which listens on ::1.
  return { server, url: `http://127.0.0.1:${server.address().port}/` };
}

/** Opens the address in the browser of a desktop; elsewhere it is only printed. */
function show(url) {
  const [program, ...args] = { darwin: ["open"], win32: ["cmd", "/c", "start", ""] }[process.platform] ?? ["xdg-open"];
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  spawn(program, [...args, url], { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}

if (isProgram(import.meta.url)) {
  const { url } = await serveInspector();
  console.log(`The save inspector is at ${url} (Ctrl+C ends it).`);
  if (!process.argv.includes("--no-open")) show(url);
}
