import { goProgram, runProgram } from '@gateway/test-peers';
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { ClusterObject } from '../client/resource-paths.ts';

const MODULE = fileURLToPath(new URL('../../definitions', import.meta.url));

const PACKAGES = [
  'github.com/fluxcd/helm-controller/api/v2',
  'github.com/fluxcd/source-controller/api/v1',
];
const FILES = [
  'helm.toolkit.fluxcd.io_helmreleases.yaml',
  'source.toolkit.fluxcd.io_ocirepositories.yaml',
];

/** Returns the folder of the definitions. They are generated once for each user, next to the program that generates them. */
const definitionFolder = async (): Promise<string> => {
  const program = await goProgram({
    name: 'controller-gen',
    module: MODULE,
    target: 'sigs.k8s.io/controller-tools/cmd/controller-gen',
  });
  const folder = `${program}.flux`;
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  const paths = PACKAGES.map((path) => `paths=${path}`);
  await runProgram(program, ['crd', ...paths, `output:crd:dir=${draft}`], { cwd: MODULE });
  // Another process may have been first.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  return folder;
};

/**
 * Returns the CustomResourceDefinitions of HelmRelease and OCIRepository, generated from the Go types of Flux as Flux itself does.
 * @throws {PeerMissing} without Go
 */
export const fluxDefinitions = async (): Promise<readonly ClusterObject[]> => {
  const folder = await definitionFolder();
  const texts = FILES.map((name) => readFile(join(folder, name), 'utf8'));
  return (await Promise.all(texts)).map((text) => parse(text) as ClusterObject);
};
