const CLIENT = '/@kubernetes/client-node/';
const isOfClient = ({ path, importer }) =>
  path === '@kubernetes/client-node' || importer.includes(CLIENT);

/** Marks what this plugin asks esbuild itself. */
const ASKED = Symbol('asked');

const NODE_FETCH = `export const { FormData, Headers, Request, Response } = globalThis;
export const AbortError = DOMException;
export const FetchError = TypeError;
export default globalThis.fetch;
`;

/**
 * A plugin of esbuild that takes from the official Kubernetes client what is used of it: its modules only define things, which its
 * manifest does not say, so that esbuild would keep a thousand classes. What it has of `node-fetch` Node has itself.
 */
export const kubernetesClientPlugin = {
  name: 'kubernetes-client',
  setup: (build) => {
    build.onResolve({ filter: /^\.|^@kubernetes\/client-node$/ }, async (asked) => {
      if (asked.pluginData === ASKED || !isOfClient(asked)) return undefined;
      const { path, importer, resolveDir, kind } = asked;
      const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: ASKED });
      return { ...found, sideEffects: false };
    });
    build.onResolve({ filter: /^node-fetch$/ }, (asked) =>
      isOfClient(asked) ? { path: 'node-fetch', namespace: 'node', sideEffects: false } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'node' }, () => ({ contents: NODE_FETCH }));
  },
};
