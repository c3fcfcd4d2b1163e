import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  isIgnored,
  listInstructionTexts,
  parseExecForm,
  parseInstructionPairs,
  type BuildStage,
} from '../../src/dockerfile.ts';
import { deploymentOf, renderedObjects } from '../harness/rendered-objects.ts';
import { ROOT, factsOf, ignored, imageOf, programs, readImage } from './apps.ts';

/** Installers in the official Node images on Debian. */
const PACKAGE_MANAGERS =
  '/opt/yarn* /usr/local/bin/yarn /usr/local/bin/yarnpkg /usr/local/bin/corepack /usr/local/bin/npm /usr/local/bin/npx /usr/local/lib/node_modules /usr/bin/apt* /usr/lib/apt /usr/bin/dpkg* /usr/sbin/dpkg* /usr/lib/dpkg'.split(
    ' ',
  );

const runs = (stage: BuildStage | undefined): readonly string[] =>
  stage === undefined ? [] : listInstructionTexts(stage, 'RUN');

/** What hadolint checks is in `packages/interop/test/long/dockerfiles.pypi.test.ts`. */
describe('the images of the apps', () => {
  it('include the image of the gateway', () => {
    expect(programs).toContain('gateway');
  });

  it.each(programs)('%s is copied from stages of a full version into an empty image', (app) => {
    const { stages, final } = imageOf(app);
    const base = expect.stringMatching(/^node:\d+\.\d+\.\d+-trixie-slim$/u) as string;
    expect(stages.map((stage) => stage.base)).toEqual([base, base, 'scratch']);
    expect(listInstructionTexts(final, 'COPY')[0]).toBe('--from=system / /');
    // Values of ARG and ENV stay in the history of an image.
    const names = stages.flatMap((stage) =>
      listInstructionTexts(stage, 'ARG').map((text) => text.split('=', 1)[0]),
    );
    expect(names).toEqual(['PNPM_VERSION', 'VERSION', 'REVISION', 'CREATED']);
  });

  it.each(programs)('%s is installed by the lock file with the pinned pnpm', (app) => {
    const { pnpm } = factsOf(app);
    const steps = imageOf(app).stages.flatMap((stage) => listInstructionTexts(stage, 'RUN'));
    const pinned = steps.flatMap((step) => step.match(/pnpm@\S+/gu) ?? []);
    expect(new Set(pinned)).toEqual(new Set([pnpm]));
    const installs = steps.filter((step) => step.includes('pnpm install'));
    expect(installs).toEqual([expect.stringContaining('--frozen-lockfile')]);
  });

  it.each(programs)('%s has no package manager in any layer', (app) => {
    const system = imageOf(app).stages.find(({ name }) => name === 'system');
    const removed = runs(system)
      .flatMap((step) => step.split('&&'))
      .filter((command) => command.trim().startsWith('rm -rf '))
      .flatMap((command) => command.trim().split(/\s+/u).slice(2));
    expect(removed).toEqual(expect.arrayContaining(PACKAGE_MANAGERS));
  });

  it.each(programs)('%s starts as a user without a name, below an init, with Node alone', (app) => {
    const { stages, final } = imageOf(app);
    const words = (keyword: string) =>
      listInstructionTexts(final, keyword).map((text) =>
        parseExecForm(text.replace(/^.*?\bCMD\s+/u, '')),
      );
    expect(listInstructionTexts(final, 'USER')).toEqual(['65532:65532']);
    expect(words('ENTRYPOINT')).toEqual([
      ['/usr/bin/tini', '--', 'node', expect.stringMatching(/^\/opt\//u) as string],
    ]);
    expect(words('CMD')).toEqual([expect.arrayContaining(['serve']) as string[]]);
    expect(stages.flatMap(runs).join()).toMatch(/apt-get install[^&]*\btini\b/u);
    const env = parseInstructionPairs(final, 'ENV');
    expect(env.get('PATH')?.split(':')).toContain('/usr/local/bin');
    expect(env.get('NODE_ENV')).toBe('production');
    const { ports } = factsOf(app);
    expect(listInstructionTexts(final, 'EXPOSE')).toEqual([ports.join(' ')]);
    const [check, ...others] = words('HEALTHCHECK');
    expect([check?.[0], others]).toEqual(['node', []]);
    for (const port of ports)
      expect(check?.join(' ')).toContain(`http://127.0.0.1:${String(port)}/healthz`);
  });

  it.each(programs)('%s has the labels of its manifest', (app) => {
    const labels = parseInstructionPairs(imageOf(app).final, 'LABEL');
    const own = Object.entries(factsOf(app).labels).map(([name, value]) => [
      `org.opencontainers.image.${name}`,
      value,
    ]);
    const any = expect.stringMatching(/./u) as string;
    expect(Object.fromEntries(labels)).toEqual({
      ...Object.fromEntries(own),
      'org.opencontainers.image.revision': any,
      'org.opencontainers.image.created': any,
    });
  });
});

/** The instructions of the stages before the last, with the name of the app replaced, and without the folder of its state and its compiled code. */
const shared = (app: string): readonly string[] =>
  imageOf(app)
    .stages.slice(0, -1)
    .flatMap(({ name, base, instructions }) => [
      `FROM ${base} AS ${name}`,
      ...instructions.map(({ keyword, text }) => `${keyword} ${text}`),
    ])
    // Only the gateway stores its compiled code.
    .filter((line) => !line.includes('/.cache'))
    .map((line) =>
      line
        .replace(/^RUN mkdir -p \/var\/lib\/\S+ +&& chown \S+ \S+ +&& /u, 'RUN ')
        .replace('--filter=@gateway/portal-web ', '')
        .replaceAll(`@gateway/${app}`, '@gateway/app')
        .replaceAll(`/opt/${app}`, '/opt/app')
        .replaceAll(`bin/${app}`, 'bin/app'),
    );

// A Dockerfile cannot include another one.
it('the stages before the last are the same in all images, but for the name of the app and the folder of its state', () => {
  const [first = [], ...others] = programs.map(shared);
  expect(first.join('\n')).toContain('apt-get install');
  for (const other of others) expect(other).toEqual(first);
});

it.each([
  ['portal', 'portal:0.239.0', []],
  ['gateway', 'gateway:5.13.0', ['/etc/gateway', '/var/lib/gateway', '/tmp']],
] as const)('the image of the %s starts as its chart starts it', async (chart, image, mounts) => {
  const { final } = imageOf(chart);
  const { spec } = deploymentOf(await renderedObjects(chart)).template;
  const { containers, securityContext } = spec as unknown as PodSpec;
  const [container] = containers;
  const command = parseExecForm(listInstructionTexts(final, 'CMD')[0] ?? '') ?? [];
  expect(container?.image).toBe(`registry.gateway.internal/${image}`);
  expect(container?.command).toBeUndefined();
  expect(container?.args.slice(0, command.length)).toEqual(command);
  expect([container?.ports.map(({ containerPort }) => containerPort).join(' ')]).toEqual(
    listInstructionTexts(final, 'EXPOSE'),
  );
  expect(container?.volumeMounts?.map(({ mountPath }) => mountPath) ?? []).toEqual(
    expect.arrayContaining([...mounts]),
  );
  const { runAsUser, runAsGroup } = securityContext;
  expect([`${String(runAsUser)}:${String(runAsGroup)}`]).toEqual(
    listInstructionTexts(final, 'USER'),
  );
});

it('the image of the gateway listens on the default port of the configuration', () => {
  const schema = JSON.parse(
    readFileSync(join(ROOT, 'packages/gateway-config/config.schema.json'), 'utf8'),
  ) as { properties: { http: { properties: { port: { default: number } } } } };
  expect(schema.properties.http.properties.port.default).toBe(factsOf('gateway').ports[0]);
});

it('the build context holds sources, and no tests, builds and secrets', () => {
  const without = [
    ...['.git/HEAD', 'node_modules/vitest/package.json', 'apps/gateway/dist/cli.js'],
    ...['apps/gateway/test/image.test.ts', 'apps/gateway/example/config.yaml', 'docs/container.md'],
    ...['npm-debug.log', '.env', 'apps/gateway/.env.local', 'tls/server.key'],
    ...['apps/gateway/ca.pem', 'apps/gateway/state/events.jsonl'],
  ];
  const held = [
    ...['.npmrc', 'pnpm-lock.yaml', 'apps/gateway/image/config.yaml', 'apps/gateway/src/cli.ts'],
    'packages/crd-schemas/generated/mcpserver.schema.json',
    'packages/catalog/src/distance.ts',
  ];
  expect([...without, ...held].filter((path) => isIgnored(path, ignored))).toEqual(without);
});

it('the guide to containers derives an image that runs nothing and keeps the user', () => {
  const guide = readFileSync(join(ROOT, 'docs/container.md'), 'utf8');
  const snippets = [...guide.matchAll(/```dockerfile\n(?<text>.*?)```/gsu)];
  expect(snippets).toHaveLength(1);
  const text = snippets[0]?.groups?.['text'] ?? '';
  const { stages, final } = readImage(text);
  expect(final.base).toBe('registry.gateway.internal/gateway:5.13.0');
  expect(stages[0]?.base).toBe(imageOf('gateway').stages[0]?.base);
  expect(listInstructionTexts(final, 'RUN')).toEqual([]);
  expect(listInstructionTexts(final, 'USER')).toEqual([]);
});

interface PodSpec {
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number };
  readonly containers: readonly {
    readonly image: string;
    readonly command?: readonly string[];
    readonly args: readonly string[];
    readonly ports: readonly { readonly containerPort: number }[];
    readonly volumeMounts?: readonly { readonly mountPath: string }[];
  }[];
}
