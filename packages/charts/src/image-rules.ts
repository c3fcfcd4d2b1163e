import {
  parseCopy,
  type Dockerfile,
  parseExecForm,
  parseInstructionPairs,
  parseDockerfile,
  type BuildStage,
  listInstructionTexts,
} from './dockerfile.ts';

/** Facts that an image must match. */
export interface ImageFacts {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly license: string;
  /** Default port of the application. */
  readonly port: number;
  /** Default ports of the application next to {@link port}. */
  readonly furtherPorts: readonly number[];
  /** Pinned pnpm version, such as `10.34.8`. */
  readonly pnpm: string;
  /** The patterns of `.dockerignore`. */
  readonly ignored: readonly string[];
}

/** A Dockerfile with its stages and the last stage. */
export interface Image extends Dockerfile {
  readonly final: BuildStage;
}

/** Returns the problems of an image, one sentence each. */
export type ImageRule = (image: Image, facts: ImageFacts) => readonly string[];

/** Returns the Dockerfile as an image; without `FROM` the final stage is empty. */
export const toImage = (dockerfile: Dockerfile): Image => ({
  ...dockerfile,
  final: dockerfile.stages.at(-1) ?? { name: '', base: '', instructions: [] },
});

/** Returns the problem unless the condition is true. */
const checkCondition = (holds: boolean, problem: string): readonly string[] =>
  holds ? [] : [problem];

const SECRET = /secret|token|passwo?r?d|credential|private_?key|api_?key/iu;

/** An image name with its full version and optional digest, such as `node:24.21.0-trixie-slim`. */
const VERSIONED = /^(?:[^\s/@]+\/)*[^\s:@/]+:\d+\.\d+\.\d+[\w.-]*(?:@sha256:[0-9a-f]{64})?$/u;

/** Paths that a copy of the checkout must exclude from a build. */
const NEVER_COPIED = ['.git', '**/node_modules', '**/dist'];

const listRuns = ({ stages }: Image): readonly string[] =>
  stages.flatMap((stage) => listInstructionTexts(stage, 'RUN'));

/** Rules for base images and build steps. */
const buildRules = {
  'A base image has its full version, or is scratch or an earlier stage.': ({ stages }) =>
    stages.flatMap(({ base }, index) =>
      checkCondition(
        base === 'scratch' ||
          VERSIONED.test(base) ||
          stages.slice(0, index).some(({ name }) => name === base),
        `FROM ${base} has no full version`,
      ),
    ),
  'COPY --from names an earlier stage.': ({ stages }) =>
    stages.flatMap((stage, index) =>
      listCopySources(stage)
        .filter((from) => !stages.slice(0, index).some(({ name }) => name === from))
        .map((from) => `COPY --from=${from} names no earlier stage`),
    ),
  'Nothing is added from a URL: ADD is not used.': ({ stages }) =>
    stages.flatMap((stage) =>
      listInstructionTexts(stage, 'ADD').map(
        (text) => `ADD ${text}: use COPY, and fetch in a step`,
      ),
    ),
  'The whole checkout is copied only without .git, node_modules and dist.': (
    { stages },
    { ignored },
  ) => {
    const whole = stages
      .flatMap((stage) => listInstructionTexts(stage, 'COPY'))
      .map(parseCopy)
      .some(({ from, sources }) => from === undefined && sources.includes('.'));
    return NEVER_COPIED.filter((pattern) => whole && !ignored.includes(pattern)).map(
      (pattern) => `.dockerignore does not list ${pattern}`,
    );
  },
  'ARG and ENV contain no secrets.': ({ stages }) =>
    stages
      .flatMap((stage) => [
        ...listInstructionTexts(stage, 'ARG'),
        ...listInstructionTexts(stage, 'ENV'),
      ])
      .flatMap((text) => [...text.matchAll(/(?:^|\s)(?<name>\w+)(?==|$)/gu)])
      .map(({ groups }) => groups?.['name'] ?? '')
      .filter((name) => SECRET.test(name))
      .map((name) => `${name} would stay in the image's history`),
  'WORKDIR is absolute.': ({ stages }) =>
    stages.flatMap((stage) =>
      listInstructionTexts(stage, 'WORKDIR').flatMap((path) =>
        checkCondition(path.startsWith('/'), `WORKDIR ${path} is relative`),
      ),
    ),
  'apt-get installs no recommended packages, and removes its lists.': (image) =>
    listRuns(image)
      .filter((run) => /apt(-get)? install/u.test(run))
      .flatMap((run) => [
        ...checkCondition(
          run.includes('--no-install-recommends'),
          'apt-get installs recommendations',
        ),
        ...checkCondition(run.includes('rm -rf /var/lib/apt/lists'), 'the lists of apt-get stay'),
      ]),
  'No step executes a download.': (image) =>
    listRuns(image)
      .filter((run) => /\b(curl|wget)\b[^|]*\|\s*(\S*\/)?(env |sudo )?(ba|da|z)?sh\b/u.test(run))
      .map((run) => `a download goes into a shell: ${run}`),
  'Packages are installed by the lock file, with the pinned pnpm.': (image, { pnpm }) =>
    listRuns(image).flatMap((run) => [
      ...[...run.matchAll(/pnpm@(?<version>\S+)/gu)]
        .map(({ groups }) => groups?.['version'] ?? '')
        .filter((version) => version !== pnpm)
        .map((version) => `pnpm ${version} is not the pinned ${pnpm}`),
      ...checkCondition(
        !/pnpm install/u.test(run) || run.includes('--frozen-lockfile'),
        'pnpm installs without --frozen-lockfile',
      ),
    ]),
} as const satisfies Readonly<Record<string, ImageRule>>;

const listCopySources = (stage: BuildStage): readonly string[] =>
  listInstructionTexts(stage, 'COPY')
    .map(parseCopy)
    .flatMap(({ from }) => from ?? []);

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
const finalRules = {
  'The image runs as a numeric user and group that are not root.': ({ final }) => {
    const user = listInstructionTexts(final, 'USER').at(-1) ?? '';
    return checkCondition(/^[1-9]\d*:[1-9]\d*$/u.test(user), `USER is "${user}"`);
  },
  'ENTRYPOINT and CMD exist once, in exec form.': ({ final }) =>
    ['ENTRYPOINT', 'CMD'].flatMap((keyword) => {
      const texts = listInstructionTexts(final, keyword);
      return checkCondition(
        texts.length === 1 && texts.every((text) => parseExecForm(text) !== undefined),
        `${keyword} is not one list of words`,
      );
    }),
  'Process 1 is an init that forwards signals and reaps orphans.': ({ stages, final }) => {
    const [init, separator] =
      parseExecForm(listInstructionTexts(final, 'ENTRYPOINT').at(-1) ?? '') ?? [];
    const installed = stages
      .flatMap((stage) => listInstructionTexts(stage, 'RUN'))
      .some((run) => /apt-get install[^&]*\btini\b/u.test(run));
    return checkCondition(
      init === '/usr/bin/tini' && separator === '--' && installed,
      'ENTRYPOINT does not begin with an installed /usr/bin/tini --',
    );
  },
  'The health check requests /healthz at the ports with Node.': (
    { final },
    { port, furtherPorts },
  ) => {
    const checks = listInstructionTexts(final, 'HEALTHCHECK');
    const words = parseExecForm(checks.at(-1)?.replace(/^.*?\bCMD\s+/u, '') ?? '') ?? [];
    const isByNode = checks.length === 1 && words[0] === 'node';
    return [port, ...furtherPorts]
      .map((one) => `http://127.0.0.1:${String(one)}/healthz`)
      .flatMap((url) =>
        checkCondition(
          isByNode && words.some((word) => word.includes(url)),
          `HEALTHCHECK does not request ${url} with node`,
        ),
      );
  },
  'EXPOSE is the ports of the application.': ({ final }, { port, furtherPorts }) => {
    const exposed = listInstructionTexts(final, 'EXPOSE').join(' ');
    const ports = [port, ...furtherPorts].join(' ');
    return checkCondition(exposed === ports, `EXPOSE is "${exposed}", not ${ports}`);
  },
  'The labels match the manifest.': ({ final }, facts) => {
    const labels = parseInstructionPairs(final, 'LABEL');
    const expected = {
      title: facts.title,
      description: facts.description,
      version: facts.version,
      licenses: facts.license,
    };
    return [
      ...Object.entries(expected).flatMap(([name, value]) =>
        checkCondition(
          labels.get(formatLabel(name)) === value,
          `${formatLabel(name)} is not "${value}"`,
        ),
      ),
      ...['revision', 'created'].flatMap((name) =>
        checkCondition(Boolean(labels.get(formatLabel(name))), `${formatLabel(name)} is missing`),
      ),
    ];
  },
  'No layer contains a package manager.': (image) => {
    const system = findSystemStage(image);
    if (system === undefined) return ['the system is not copied from a stage into scratch'];
    const removed = listRemovals(system);
    return PACKAGE_MANAGERS.filter((path) => !removed.has(path)).map((path) => `${path} stays`);
  },
  'The final image sets PATH and NODE_ENV=production.': ({ final }) => {
    const env = parseInstructionPairs(final, 'ENV');
    return [
      ...checkCondition(
        Boolean(env.get('PATH')?.split(':').includes('/usr/local/bin')),
        'ENV has no PATH',
      ),
      ...checkCondition(env.get('NODE_ENV') === 'production', 'ENV has no NODE_ENV=production'),
    ];
  },
} as const satisfies Readonly<Record<string, ImageRule>>;

const formatLabel = (name: string): string => `org.opencontainers.image.${name}`;

/** Returns the stage whose complete file system the final image copies. */
function findSystemStage({ stages, final }: Image): BuildStage | undefined {
  if (final.base !== 'scratch') return undefined;
  const whole = listInstructionTexts(final, 'COPY')
    .map(parseCopy)
    .filter(({ sources, target }) => sources.join() === '/' && target === '/');
  return stages.find(({ name }) => whole.length === 1 && name === whole[0]?.from);
}

const listRemovals = (stage: BuildStage): ReadonlySet<string> =>
  new Set(
    listInstructionTexts(stage, 'RUN')
      .flatMap((run) => run.split('&&'))
      .map((command) => command.trim().split(/\s+/u))
      .filter(([command, flags]) => command === 'rm' && flags === '-rf')
      .flatMap((words) => words.slice(2)),
  );

/** All rules for images, by their sentence. */
export const imageRules = { ...buildRules, ...finalRules } as const;

/** The sentence of a rule. */
export type ImageRuleName = keyof typeof imageRules;

/** Returns the problems of an image as `<rule> <problem>`, for the named rules only. */
export function listImageProblems(
  dockerfile: string,
  facts: ImageFacts,
  rules: readonly ImageRuleName[] = Object.keys(imageRules) as ImageRuleName[],
): readonly string[] {
  const image = toImage(parseDockerfile(dockerfile));
  return rules.flatMap((name) =>
    imageRules[name](image, facts).map((problem) => `${name} ${problem}`),
  );
}

/** Rules for an image that derives from one of ours; it inherits the rest. */
export const derivedImageRules = Object.keys(buildRules) as readonly ImageRuleName[];
