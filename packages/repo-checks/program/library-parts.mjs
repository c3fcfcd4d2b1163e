import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** `index.js` of undici does the same to give dispatchers their `request`. */
const UNDICI = `
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import api from 'undici/lib/api/index.js';
Object.assign(Dispatcher.prototype, api);
export { default as Agent } from 'undici/lib/dispatcher/agent.js';
export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
`;

/** Nothing sets `allowH2`, without which undici never calls this. */
const NO_HTTP_2 = `module.exports = () => {
  throw new Error('this program has no client of HTTP/2');
};`;

const validatorOf = (library) =>
  `export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '${library}/validators/cf-worker';`;

/** A library that is loaded when one of its functions is called first: esbuild runs a module that is required at the first `require`. */
const onFirstUse = (library, exported) => `
let library;
const load = () => (library ??= require('${library}'));
${exported}`;

const functions = (...names) =>
  names.map((name) => `export const ${name} = (...args) => load().${name}(...args);`).join('\n');

const RE2JS = `
export const RE2JS = { compile: (...args) => load().RE2JS.compile(...args) };
export const MatcherInput = { utf16: (...args) => load().MatcherInput.utf16(...args) };
export const RE2JSException = { [Symbol.hasInstance]: (value) => value instanceof load().RE2JSException };`;

/** The class extends `TransformStream`, which makes Node load its streams of the web. */
const EVENT_SOURCE_STREAM = `
export const EventSourceParserStream = function (options) {
  return new (load().EventSourceParserStream)(options);
};`;

const PKCE = 'export default async (...args) => (await load()).default(...args);';

/**
 * The modules of libraries that are replaced by the parts of them that programs use:
 * - the index of undici loads a WebSocket client, a cache, mocks and its own `fetch`, two thirds of its code;
 * - its clients load `node:http2` for connections of HTTP/2, which need an option;
 * - zod loads its texts in 50 languages;
 * - regular expressions of templates, versions of templates, the challenges of sign-ins and a stream that programs do not use are loaded
 *   when they are first used, because most starts use none of them;
 * - the MCP SDK loads Ajv, which compiles code at run time, although programs check schemas with `@cfworker/json-schema`.
 */
const PARTS = [
  { filter: /^undici$/, text: UNDICI },
  { filter: /^\.\/client-h2\.js$/, importer: /\/undici\//, text: NO_HTTP_2 },
  {
    filter: /^\.\.\/locales\/index\.js$/,
    importer: /\/zod\//,
    text: "export { default as en } from '../locales/en.js';",
  },
  { filter: /^re2js$/, text: onFirstUse('re2js', RE2JS) },
  { filter: /^semver$/, text: onFirstUse('semver', functions('parse', 'coerce', 'satisfies')) },
  { filter: /^pkce-challenge$/, text: onFirstUse('pkce-challenge', PKCE) },
  {
    filter: /^eventsource-parser\/stream$/,
    text: onFirstUse('eventsource-parser/stream', EVENT_SOURCE_STREAM),
  },
  {
    filter: /^@modelcontextprotocol\/client\/_shims$/,
    text: `${validatorOf('@modelcontextprotocol/client')}
export const CORS_IS_POSSIBLE = false;`,
  },
  {
    filter: /^@modelcontextprotocol\/server\/_shims$/,
    text: `${validatorOf('@modelcontextprotocol/server')}
export { default as process } from 'node:process';`,
  },
];

const ZOD_SETTINGS = /\/zod\/v4\/core\/core\.js$/;

/** zod writes and compiles a function for each schema of an object that is used. That costs a start more than it saves later. */
const INTERPRETED = 'globalConfig.jitless = true;';

/**
 * A plugin of esbuild that leaves out large parts of libraries that programs do not use, because each start compiles them. An import of
 * a part that is left out fails the build. Schemas of zod are interpreted.
 */
export const libraryPartsPlugin = {
  name: 'library-parts',
  setup: (build) => {
    build.onLoad({ filter: ZOD_SETTINGS }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\n${INTERPRETED}\n`,
    }));
    for (const [index, { filter, importer: of = /./, text }] of PARTS.entries()) {
      const namespace = `part-${index}`;
      build.onResolve({ filter }, ({ path, importer, kind }) =>
        of.test(importer) && kind !== 'require-call'
          ? { path, namespace, pluginData: dirname(importer) }
          : undefined,
      );
      build.onLoad({ filter: /.*/, namespace }, ({ pluginData: resolveDir }) => ({
        contents: text,
        resolveDir,
      }));
    }
  },
};
