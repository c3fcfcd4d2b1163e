import { copyOf, textsOf, type Stage } from './dockerfile.ts';
import { unless, type Image, type ImageRule } from './image-rule.ts';

const SECRET = /secret|token|passwo?r?d|credential|private_?key|api_?key/iu;

/** An image name with its full version and optional digest, such as `node:24.21.0-trixie-slim`. */
const VERSIONED = /^(?:[^\s/@]+\/)*[^\s:@/]+:\d+\.\d+\.\d+[\w.-]*(?:@sha256:[0-9a-f]{64})?$/u;

/** Paths that a copy of the checkout must exclude from a build. */
const NEVER_COPIED = ['.git', '**/node_modules', '**/dist'];

const runsOf = ({ stages }: Image): readonly string[] =>
  stages.flatMap((stage) => textsOf(stage, 'RUN'));

/** Rules for base images and build steps. */
export const buildRules = {
  'A base image has its full version, or is scratch or an earlier stage.': ({ stages }) =>
    stages.flatMap(({ base }, index) =>
      unless(
        base === 'scratch' ||
          VERSIONED.test(base) ||
          stages.slice(0, index).some(({ name }) => name === base),
        `FROM ${base} has no full version`,
      ),
    ),
  'COPY --from names an earlier stage.': ({ stages }) =>
    stages.flatMap((stage, index) =>
      copiesFrom(stage)
        .filter((from) => !stages.slice(0, index).some(({ name }) => name === from))
        .map((from) => `COPY --from=${from} names no earlier stage`),
    ),
  'Nothing is added from a URL: ADD is not used.': ({ stages }) =>
    stages.flatMap((stage) =>
      textsOf(stage, 'ADD').map((text) => `ADD ${text}: use COPY, and fetch in a step`),
    ),
  'The whole checkout is copied only without .git, node_modules and dist.': (
    { stages },
    { ignored },
  ) => {
    const whole = stages
      .flatMap((stage) => textsOf(stage, 'COPY'))
      .map(copyOf)
      .some(({ from, sources }) => from === undefined && sources.includes('.'));
    return NEVER_COPIED.filter((pattern) => whole && !ignored.includes(pattern)).map(
      (pattern) => `.dockerignore does not list ${pattern}`,
    );
  },
  'ARG and ENV contain no secrets.': ({ stages }) =>
    stages
      .flatMap((stage) => [...textsOf(stage, 'ARG'), ...textsOf(stage, 'ENV')])
      .flatMap((text) => [...text.matchAll(/(?:^|\s)(?<name>\w+)(?==|$)/gu)])
      .map(({ groups }) => groups?.['name'] ?? '')
      .filter((name) => SECRET.test(name))
      .map((name) => `${name} would stay in the image's history`),
  'WORKDIR is absolute.': ({ stages }) =>
    stages.flatMap((stage) =>
      textsOf(stage, 'WORKDIR').flatMap((path) =>
        unless(path.startsWith('/'), `WORKDIR ${path} is relative`),
      ),
    ),
  'apt-get installs no recommended packages, and removes its lists.': (image) =>
    runsOf(image)
      .filter((run) => /apt(-get)? install/u.test(run))
      .flatMap((run) => [
        ...unless(run.includes('--no-install-recommends'), 'apt-get installs recommendations'),
        ...unless(run.includes('rm -rf /var/lib/apt/lists'), 'the lists of apt-get stay'),
      ]),
  'No step executes a download.': (image) =>
    runsOf(image)
      .filter((run) => /\b(curl|wget)\b[^|]*\|\s*(\S*\/)?(env |sudo )?(ba|da|z)?sh\b/u.test(run))
      .map((run) => `a download goes into a shell: ${run}`),
  'Packages are installed by the lock file, with the pinned pnpm.': (image, { pnpm }) =>
    runsOf(image).flatMap((run) => [
      ...[...run.matchAll(/pnpm@(?<version>\S+)/gu)]
        .map(({ groups }) => groups?.['version'] ?? '')
        .filter((version) => version !== pnpm)
        .map((version) => `pnpm ${version} is not the pinned ${pnpm}`),
      ...unless(
        !/pnpm install/u.test(run) || run.includes('--frozen-lockfile'),
        'pnpm installs without --frozen-lockfile',
      ),
    ]),
} as const satisfies Readonly<Record<string, ImageRule>>;

const copiesFrom = (stage: Stage): readonly string[] =>
  textsOf(stage, 'COPY')
    .map(copyOf)
    .flatMap(({ from }) => from ?? []);
