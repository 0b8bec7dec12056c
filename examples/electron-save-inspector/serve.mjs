// `npm run inspector`: the inspector as a page on this computer. Serves the few files of the page and nothing else, to this computer alone.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { buildInspector } from "./build.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const PORT = 4173;

/** The page's files by path, read once. */
function pages(folder) {
  const files = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length).split(sep).join("/"), { body: readFileSync(path), type: TYPES[extname(path)] });
  }
  files.set("/", files.get("/index.html"));
  return files;
}

export async function serveInspector(port = PORT) {
  const files = pages(await buildInspector());
  const policy = `${/content="(default-src[^"]+)"/.exec(files.get("/").body.toString())[1]}; frame-ancestors 'none'`;
  const server = createServer((request, response) => {
    // Other sites may have their names lead here; they get nothing.
    const isLocal = /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? "");
    const file = isLocal && request.method === "GET" ? files.get(new URL(request.url, "http://localhost").pathname) : undefined;
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "content-type": `${file.type}; charset=utf-8`,
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
    response.end(file.body);
  });
  await new Promise((resolve, reject) => {
    server.once("error", (error) => (error.code === "EADDRINUSE" && port !== 0 ? server.listen(0, "127.0.0.1") : reject(error)));
    server.once("listening", resolve);
    server.listen(port, "127.0.0.1");
  });
  return { server, url: `http://localhost:${server.address().port}/` };
}

/** Opens the address in the browser of a desktop; elsewhere it is only printed. */
function show(url) {
  const [program, ...args] = { darwin: ["open"], win32: ["cmd", "/c", "start", ""] }[process.platform] ?? ["xdg-open"];
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  spawn(program, [...args, url], { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serveInspector();
  console.log(`The save inspector is at ${url} (Ctrl+C ends it).`);
  if (!process.argv.includes("--no-open")) show(url);
}
