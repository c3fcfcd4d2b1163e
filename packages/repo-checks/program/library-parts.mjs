import { dirname } from 'node:path';

/** `index.js` of undici does the same to give dispatchers their `request`. */
const UNDICI = `
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import api from 'undici/lib/api/index.js';
Object.assign(Dispatcher.prototype, api);
export { default as Agent } from 'undici/lib/dispatcher/agent.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
`;

/** Nothing sets `allowH2`, without which undici never calls this. */
const NO_HTTP_2 = `module.exports = () => {
  throw new Error('this program has no client of HTTP/2');
};`;

const validatorOf = (library) =>
  `export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '${library}/validators/cf-worker';`;

/**
 * The modules of libraries that are replaced by the parts of them that programs use:
 * - the index of undici loads a WebSocket client, a cache, mocks and its own `fetch`, two thirds of its code;
 * - its clients load `node:http2` for connections of HTTP/2, which need an option;
 * - zod loads its texts in 50 languages;
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

/**
 * A plugin of esbuild that leaves out large parts of libraries that programs do not use, because each start compiles them. An import of
 * a part that is left out fails the build.
 */
export const libraryPartsPlugin = {
  name: 'library-parts',
  setup: (build) => {
    for (const [index, { filter, importer: of = /./, text }] of PARTS.entries()) {
      const namespace = `part-${index}`;
      build.onResolve({ filter }, ({ path, importer }) =>
        of.test(importer) ? { path, namespace, pluginData: dirname(importer) } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace }, ({ pluginData: resolveDir }) => ({
        contents: text,
        resolveDir,
      }));
    }
  },
};
