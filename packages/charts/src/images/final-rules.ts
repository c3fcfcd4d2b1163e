import { copyOf, execForm, pairsOf, textsOf, type Stage } from './dockerfile.ts';
import { unless, type Image, type ImageRule } from './image-rule.ts';

/** Installers in the official Node images on Debian; each must be removed before the system is copied. */
const PACKAGE_MANAGERS = [
  '/opt/yarn*',
  '/usr/local/bin/yarn',
  '/usr/local/bin/yarnpkg',
  '/usr/local/bin/corepack',
  '/usr/local/bin/npm',
  '/usr/local/bin/npx',
  '/usr/local/lib/node_modules',
  '/usr/bin/apt*',
  '/usr/lib/apt',
  '/usr/bin/dpkg*',
  '/usr/sbin/dpkg*',
  '/usr/lib/dpkg',
];

/** Rules for the final image: user, commands, labels and contents. */
export const finalRules = {
  'The image runs as a numeric user and group that are not root.': ({ final }) => {
    const user = textsOf(final, 'USER').at(-1) ?? '';
    return unless(/^[1-9]\d*:[1-9]\d*$/u.test(user), `USER is "${user}"`);
  },
  'ENTRYPOINT and CMD exist once, in exec form.': ({ final }) =>
    ['ENTRYPOINT', 'CMD'].flatMap((keyword) => {
      const texts = textsOf(final, keyword);
      return unless(
        texts.length === 1 && texts.every((text) => execForm(text) !== undefined),
        `${keyword} is not one list of words`,
      );
    }),
  'Process 1 is an init that forwards signals and reaps orphans.': ({ stages, final }) => {
    const [init, separator] = execForm(textsOf(final, 'ENTRYPOINT').at(-1) ?? '') ?? [];
    const installed = stages
      .flatMap((stage) => textsOf(stage, 'RUN'))
      .some((run) => /apt-get install[^&]*\btini\b/u.test(run));
    return unless(
      init === '/usr/bin/tini' && separator === '--' && installed,
      'ENTRYPOINT does not begin with an installed /usr/bin/tini --',
    );
  },
  'The health check requests /healthz at the ports with Node.': (
    { final },
    { port, furtherPorts },
  ) => {
    const checks = textsOf(final, 'HEALTHCHECK');
    const words = execForm(checks.at(-1)?.replace(/^.*?\bCMD\s+/u, '') ?? '') ?? [];
    const isByNode = checks.length === 1 && words[0] === 'node';
    return [port, ...furtherPorts]
      .map((one) => `http://127.0.0.1:${String(one)}/healthz`)
      .flatMap((url) =>
        unless(
          isByNode && words.some((word) => word.includes(url)),
          `HEALTHCHECK does not request ${url} with node`,
        ),
      );
  },
  'EXPOSE is the ports of the application.': ({ final }, { port, furtherPorts }) => {
    const exposed = textsOf(final, 'EXPOSE').join(' ');
    const ports = [port, ...furtherPorts].join(' ');
    return unless(exposed === ports, `EXPOSE is "${exposed}", not ${ports}`);
  },
  'The labels match the manifest.': ({ final }, facts) => {
    const labels = pairsOf(final, 'LABEL');
    const expected = {
      title: facts.title,
      description: facts.description,
      version: facts.version,
      licenses: facts.license,
    };
    return [
      ...Object.entries(expected).flatMap(([name, value]) =>
        unless(labels.get(label(name)) === value, `${label(name)} is not "${value}"`),
      ),
      ...['revision', 'created'].flatMap((name) =>
        unless(Boolean(labels.get(label(name))), `${label(name)} is missing`),
      ),
    ];
  },
  'No layer contains a package manager.': (image) => {
    const system = systemOf(image);
    if (system === undefined) return ['the system is not copied from a stage into scratch'];
    const removed = removedIn(system);
    return PACKAGE_MANAGERS.filter((path) => !removed.has(path)).map((path) => `${path} stays`);
  },
  'The final image sets PATH and NODE_ENV=production.': ({ final }) => {
    const env = pairsOf(final, 'ENV');
    return [
      ...unless(Boolean(env.get('PATH')?.split(':').includes('/usr/local/bin')), 'ENV has no PATH'),
      ...unless(env.get('NODE_ENV') === 'production', 'ENV has no NODE_ENV=production'),
    ];
  },
} as const satisfies Readonly<Record<string, ImageRule>>;

const label = (name: string): string => `org.opencontainers.image.${name}`;

/** Returns the stage whose complete file system the final image copies. */
function systemOf({ stages, final }: Image): Stage | undefined {
  if (final.base !== 'scratch') return undefined;
  const whole = textsOf(final, 'COPY')
    .map(copyOf)
    .filter(({ sources, target }) => sources.join() === '/' && target === '/');
  return stages.find(({ name }) => whole.length === 1 && name === whole[0]?.from);
}

const removedIn = (stage: Stage): ReadonlySet<string> =>
  new Set(
    textsOf(stage, 'RUN')
      .flatMap((run) => run.split('&&'))
      .map((command) => command.trim().split(/\s+/u))
      .filter(([command, flags]) => command === 'rm' && flags === '-rf')
      .flatMap((words) => words.slice(2)),
  );
