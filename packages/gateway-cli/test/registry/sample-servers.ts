const npmPackage = (name: string, environmentVariables: readonly object[]) => ({
  registryType: 'npm',
  identifier: `@acme/${name}`,
  version: '1.0.0',
  transport: { type: 'stdio' },
  environmentVariables,
});

/** Entries of a registry. */
export const WEATHER = {
  server: {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: 'io.github.acme/weather',
    title: 'Weather',
    description: 'Forecasts for towns',
    version: '1.2.0',
    packages: [
      {
        ...npmPackage('weather', [
          {
            name: 'WEATHER_KEY',
            description: 'Key of the service',
            isRequired: true,
            isSecret: true,
          },
          { name: 'UNITS', default: 'metric', choices: ['metric', 'imperial'] },
        ]),
        version: '1.2.0',
      },
    ],
  },
  _meta: { 'io.modelcontextprotocol.registry/official': { status: 'active', isLatest: true } },
};

export const NOTES = {
  server: {
    name: 'com.example/notes',
    description: 'Notes of a team',
    version: '2.0.0',
    remotes: [{ type: 'streamable-http', url: 'https://notes.example.com/mcp' }],
  },
};

const identifier = 'https://example.com/a.mcpb';
export const BUNDLE = {
  server: {
    name: 'com.example/bundle',
    description: 'A bundle',
    version: '1.0.0',
    packages: [{ registryType: 'mcpb', identifier, transport: { type: 'stdio' } }],
  },
};

/** A server with variables. */
export const packageWith = (...environmentVariables: readonly object[]) => ({
  name: 'com.example/keyed',
  description: 'A server with keys',
  version: '1.0.0',
  packages: [npmPackage('keyed', environmentVariables)],
});
