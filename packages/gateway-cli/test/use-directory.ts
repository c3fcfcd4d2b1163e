import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createTestConfigDirectory, type ConfigDirectory } from '@gateway/repo-checks';
import { afterEach, beforeEach } from 'vitest';
import { parse } from 'yaml';

/** Returns a directory that is empty before each test of the file. */
export const useDirectory = () => {
  let directory: ConfigDirectory;
  beforeEach(() => {
    directory = createTestConfigDirectory();
  });
  afterEach(() => {
    directory.remove();
  });
  const resolve = (name: string): string => join(directory.path, name);
  const makeParent = (name: string): string => {
    mkdirSync(dirname(resolve(name)), { recursive: true });
    return resolve(name);
  };
  const read = (name: string): string => readFileSync(resolve(name), 'utf8');
  return {
    get path() {
      return directory.path;
    },
    resolve,
    read,
    config: (value: object) => {
      directory.config(value);
    },
    server: (name: string, spec: object) => {
      directory.server(name, spec);
    },
    workflow: (name: string, spec: object) => {
      directory.workflow(name, spec);
    },
    has: (name: string): boolean => existsSync(resolve(name)),
    mode: (name: string): number => statSync(resolve(name)).mode & 0o777,
    list: (name = ''): readonly string[] => readdirSync(resolve(name)).sort(),
    mkdir: (name: string) => void mkdirSync(resolve(name), { recursive: true }),
    link: (name: string, target: string) => {
      symlinkSync(target, makeParent(name));
    },
    /** Writes a text or a value as JSON, and returns the path of the file. */
    write: (name: string, content: unknown): string => {
      const file = makeParent(name);
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    },
    /** Returns the `spec` of a server. */
    spec: (server: string): unknown =>
      (parse(read(`mcpservers/${server}.yaml`)) as { spec: unknown }).spec,
  };
};
