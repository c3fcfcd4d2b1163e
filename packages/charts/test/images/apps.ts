import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ignorePatterns, parseDockerfile, type BuildStage } from '../../src/dockerfile.ts';
import { DEFAULT_HEALTH_PORT } from '@gateway/gateway-config';
import { readConfigurationDefault } from '../../src/chart-schema.ts';

/** The folder of the repository. */
export const ROOT = resolve(import.meta.dirname, '../../../..');

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Manifest {
  readonly bin?: Readonly<Record<string, string>>;
  readonly description: string;
  readonly version: string;
  readonly license: string;
  readonly packageManager?: string;
}

const manifestOf = (path: string): Manifest => JSON.parse(read(path)) as Manifest;

/** The default port of each app. */
const PORTS: Readonly<Record<string, number>> = {
  gateway: readConfigurationDefault('http.port'),
  'agent-manager': 8080,
  portal: 8070,
};

/** Further default ports of each app. */
const FURTHER_PORTS: Readonly<Record<string, readonly number[]>> = {
  gateway: [DEFAULT_HEALTH_PORT],
};

/** The patterns of the repository's `.dockerignore`. */
export const ignored = ignorePatterns(read('.dockerignore'));

/** Applications with a `bin`, and therefore an image. */
export const programs: readonly string[] = readdirSync(join(ROOT, 'apps')).filter(
  (app) =>
    existsSync(join(ROOT, 'apps', app, 'package.json')) &&
    manifestOf(`apps/${app}/package.json`).bin !== undefined,
);

/** The stages of an image, and the last of them. */
export interface Image {
  readonly stages: readonly BuildStage[];
  readonly final: BuildStage;
}

/** Parses a Dockerfile. @throws without a stage */
export const readImage = (dockerfile: string): Image => {
  const { stages } = parseDockerfile(dockerfile);
  const final = stages.at(-1);
  if (final === undefined) throw new Error('the Dockerfile has no stage');
  return { stages, final };
};

/** The image of an app. */
export const imageOf = (app: string): Image => readImage(read(`apps/${app}/Dockerfile`));

/** Returns the facts that the image of an application must match. */
export function factsOf(app: string) {
  const { bin = {}, description, version, license } = manifestOf(`apps/${app}/package.json`);
  return {
    labels: { title: Object.keys(bin)[0] ?? '', description, version, licenses: license },
    ports: [PORTS[app] ?? 0, ...(FURTHER_PORTS[app] ?? [])],
    pnpm: manifestOf('package.json').packageManager ?? '',
  };
}
