/** Options of a raw server of revision 2026-07-28. */
export const MODERN = {
  methods: {
    'server/discover': () => ({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'raw', version: '1.0.0' },
    }),
  },
} as const;
