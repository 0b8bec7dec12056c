// A round trip for each entry, as a user would write it: code in which `entry` is what the entry exports. It prints "same" when the value
// came back.

export const ROUND_TRIPS: Readonly<Record<string, string>> = {
  elephant: `
    class Hero { name = ""; hp = 0; static [entry.SCHEMA] = { v1: { name: "string", hp: "u16" } }; }
    const elephant = entry.createElephantSync({ constructors: { Hero } });
    const hero = Object.assign(new Hero(), { name: "Ælfric", hp: 300 });
    const world = { hero, team: [hero], gold: 2n ** 40n };
    const back = elephant.importString(elephant.exportString(elephant.read(elephant.write(world))));
    if (back.team[0] !== back.hero || !(back.hero instanceof Hero) || back.hero.hp !== 300 || back.hero.name !== "Ælfric" || back.gold !== 2n ** 40n) throw new Error("not the same");
    console.log("same", elephant.engine);`,
  ds: `
    for (const engine of ["wasm", "js"]) {
      const text = entry.writeDs(entry.dsFromMap([["name", "Ælfric"], ["bag", ["rope", 2n ** 40n]], ["hp", 0.5]]), { engine });
      const map = entry.dsToMap(entry.readDs(text, { kind: "map", engine }));
      if (map.get("name") !== "Ælfric" || map.get("bag")[1] !== 2n ** 40n || map.get("hp") !== 0.5) throw new Error("not the same");
    }
    console.log("same");`,
  enigma: `
    const schema = { objects: [{ index: 0, name: "obj_hero", locals: [{ name: "name", type: "string" }] }] };
    const planar = { x: 64, y: 32, xprevious: 0, yprevious: 0, xstart: 0, ystart: 0, persistent: false, direction: 0, speed: 0, hspeed: 0, vspeed: 0, gravity: 0, gravity_direction: 270, friction: 0 };
    const timelines = { timeline_moments_maps: [], timeline_index: -1, timeline_running: false, timeline_speed: 1, timeline_position: 0, timeline_loop: false };
    const graphics = { sprite_index: 0, image_index: 0, image_speed: 1, image_single: -1, depth: 0, visible: true, image_xscale: 1, image_yscale: 1, image_angle: 0 };
    const transform = { image_alpha: 1, image_blend: 0xffffff };
    const collisions = { mask_index: -1, solid: false, polygon_index: -1, polygon_xscale: 1, polygon_yscale: 1, polygon_angle: 0 };
    const hero = (id) => ({ id, objectIndex: 0, planar, timelines, graphics, transform, collisions, vmap: null, classes: [{ locals: [{ name: "name", type: "string", value: "Ælfric" + id }] }] });
    const game = { backend: "binary", room: 2, backgrounds: [], inactive: [], active: Array.from({ length: 50 }, (_, i) => hero(i)) };
    for (const engine of ["wasm", "js"])
      for (const backend of ["binary", "json"]) {
        const back = entry.readEnigma(entry.writeEnigma(game, { engine, backend }), { engine, schema });
        if (back.room !== 2 || back.active.length !== 50 || back.active[49].planar.x !== 64 || back.active[49].classes[0].locals[0].value !== "Ælfric49") throw new Error("not the same");
      }
    console.log("same");`,
  introspection: `
    const definitions = { oHero: [{ name: "_name", types: ["string"] }, { name: "_bag", types: ["map", "int"] }] };
    const { text, warnings } = entry.writeIntrospection(definitions, { object: "oHero", id: 7, variables: { _name: "Ælfric", _bag: new Map([["gold", 5]]) } });
    const { variables } = entry.bindIntrospection(entry.readIntrospection(text), definitions);
    if (warnings.length > 0 || variables._name !== "Ælfric" || variables._bag.get("gold") !== 5) throw new Error("not the same");
    console.log("same");`,
  worker: `
    entry.createTuskWorker().then(async (worker) => {
      const world = { hero: { name: "Ælfric" }, gold: 2n ** 40n };
      world.self = world;
      const text = await worker.exportString(await worker.read(worker.elephant.write(world)));
      const back = await worker.importString(text);
      worker.terminate();
      if (back.self !== back || back.hero.name !== "Ælfric" || back.gold !== 2n ** 40n) throw new Error("not the same");
      console.log("same");
    });`,
  node: `
    const path = "round-trip.dat";
    entry.saveFileSync(path, new Uint8Array([1, 2, 3]));
    entry.saveFile(path, new Uint8Array([4, 5]), { backups: 1 }).then(async () => {
      const now = await entry.loadSave(path);
      const before = entry.loadSaveSync(entry.backupPath(path, 1));
      if (now.join() !== "4,5" || before.join() !== "1,2,3") throw new Error("not the same");
      console.log("same");
    });`,
};
