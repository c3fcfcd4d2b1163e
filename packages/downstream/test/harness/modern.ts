/** The handshake of a raw server of revision 2026-07-28. */
export const modernMethods = (capabilities: object = { tools: { listChanged: true } }) => ({
  'server/discover': () => ({
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    supportedVersions: ['2026-07-28'],
    capabilities,
    serverInfo: { name: 'raw', version: '1.0.0' },
  }),
});

/** Options of such a server. */
export const MODERN = { methods: modernMethods() };
