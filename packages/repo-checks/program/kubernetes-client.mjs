const CLIENT = '/@kubernetes/client-node/';
const isOfClient = ({ path, importer }) =>
  path === '@kubernetes/client-node' || importer.includes(CLIENT);

/** Marks the requests that this plugin sends to esbuild. */
const OWN_REQUEST = Symbol('own request');

const UNUSED = 'export const { Agent, ProxyAgent, fetch } = {};';

/**
 * A plugin of esbuild that leaves out the unused parts of the official Kubernetes client: its modules have no side effects, which
 * its manifest does not say, and programs send their requests without it, so without `undici`.
 */
export const kubernetesClientPlugin = {
  name: 'kubernetes-client',
  setup: (build) => {
    build.onResolve({ filter: /^\.|^@kubernetes\/client-node$/ }, async (request) => {
      if (request.pluginData === OWN_REQUEST || !isOfClient(request)) return undefined;
      const { path, importer, resolveDir, kind } = request;
      const found = await build.resolve(path, {
        importer,
        resolveDir,
        kind,
        pluginData: OWN_REQUEST,
      });
      return { ...found, sideEffects: false };
    });
    build.onResolve({ filter: /^undici$/ }, (request) =>
      isOfClient(request) ? { path: 'undici', namespace: 'unused', sideEffects: false } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: UNUSED }));
  },
};
