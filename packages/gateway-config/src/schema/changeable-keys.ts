/** The keys of `config.yaml` that commands can change. */
export const CHANGEABLE_KEYS = { http: true, toolsetPresets: true } as const;
