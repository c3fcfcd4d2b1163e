import { createRequire, Module } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
// By the module: a Node without `constants` must still link the program that reports its version.
// eslint-disable-next-line no-restricted-imports -- the code is a file of the program itself
import vm from 'node:vm';
import { attempt } from './attempt.ts';
import { cacheFolders } from './cache-folder.ts';
import { codeName, readCode, writeCode } from './cached-code.ts';
import { orDamage } from './or-damage.ts';
import { readApart } from './read-apart.ts';

/** Milliseconds after which the functions that a start needs are compiled, and after which they are stored. */
const STORE_AFTER_MS = 5_000;

/** The text around a module that makes it a function. */
const AS_FUNCTION = {
  before: Buffer.from('(function ({ module, require, __filename }) {'),
  after: Buffer.from('\n})'),
};

/** The variables that CommonJS gives to a module. */
interface ModuleScope {
  readonly module: { exports: unknown };
  readonly require: NodeJS.Require;
  readonly __filename: string;
}

/** A program that is ready to run. */
interface CompiledProgram {
  readonly run: (scope: ModuleScope) => void;
  /** Stores the compiled code, unless it comes from the store. */
  readonly store: (() => void) | undefined;
}

/** A file in the folder of the file that requires it. */
const PART = /^\.\/[\w-]+\.cjs$/u;

/**
 * Runs a CommonJS module and returns its exports, with the compiled code of an earlier process if there is any. The first process stores it 5
 * seconds later, or when it ends. The same holds for files of its folder that it requires. When reading, compiling or storing fails,
 * Node loads the file as any other.
 *
 * @param url a file of ASCII text
 * @throws an error that names the file when it is damaged or missing; otherwise whatever the module throws
 */
export function loadProgram(url: URL): unknown {
  const path = fileURLToPath(url);
  // Parts find the program by its real path: by another one, which a link gives it, they would load it again.
  return orDamage(path, () => loadWhole(createRequire(url).resolve(path)));
}

function loadWhole(file: string): unknown {
  // Coverage needs functions that V8 has compiled itself, and Node maps stack traces of modules only.
  const { NODE_DISABLE_COMPILE_CACHE: off, NODE_V8_COVERAGE: coverage } = process.env;
  if (off || coverage || process.sourceMapsEnabled) return createRequire(file)(file);
  return load(file);
}

function load(file: string): unknown {
  const nodeRequire = createRequire(file);
  const program = attempt(() => compile(file));
  if (program === undefined) return nodeRequire(file);
  const require = Object.assign((id: string): unknown => {
    if (!PART.test(id)) return nodeRequire(id);
    const part = nodeRequire.resolve(id);
    const known = nodeRequire.cache[part];
    return known === undefined ? orDamage(part, () => load(part)) : known.exports;
  }, nodeRequire);
  const module = new Module(file);
  // Where Node loads a part, it must not load this file again.
  nodeRequire.cache[file] = module;
  try {
    program.run({ module, require, __filename: file });
  } catch (error) {
    Reflect.deleteProperty(nodeRequire.cache, file);
    throw error;
  }
  if (program.store) storeLater(program.store);
  return module.exports;
}

function compile(file: string): CompiledProgram {
  const source = readApart(file, AS_FUNCTION);
  const folders = cacheFolders(file);
  const name = codeName(source);
  const cachedData = readCode(name, folders, file);
  // Node keeps a large text outside of the heap when it comes from bytes; V8 would copy a concatenated one into the heap.
  const script = new vm.Script(source.toString('latin1'), {
    filename: file,
    ...(cachedData && { cachedData }),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const run = script.runInThisContext() as CompiledProgram['run'];
  const isStored = cachedData !== undefined && script.cachedDataRejected !== true;
  const store = (): void => {
    writeCode(name, script.createCachedData(), folders, file);
  };
  return { run, store: isStored ? undefined : store };
}

/** Calls a function once: later, or when the process ends before. */
function storeLater(store: () => void): void {
  const storeNow = (): void => {
    clearTimeout(timer);
    process.removeListener('exit', storeNow);
    attempt(store);
  };
  const timer = setTimeout(storeNow, STORE_AFTER_MS).unref();
  process.once('exit', storeNow);
}
