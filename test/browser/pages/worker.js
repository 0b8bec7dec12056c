// A worker of one's own: the package's methods, and the ones of the tests.
import { serveTusk } from "tusk-codec/worker";
import { outcomes } from "./formats.js";

const violations = [];
addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) => violations.push(`${blockedURI} ${effectiveDirective}`));

serveTusk({
  methods: {
    engine: ({ elephant }) => elephant.engine,
    outcomes: (_context, format, inputs) => outcomes(format, inputs),
    violations: () => violations,
  },
});
