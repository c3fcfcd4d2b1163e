import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
// By the module: a Node without `constants` must still link the program that reports its version.
// eslint-disable-next-line no-restricted-imports -- the code is a file of the program itself
import vm from 'node:vm';
import { attempt } from './attempt.ts';
import { cacheFolders } from './cache-folder.ts';
import { codeName, readCode, writeCode } from './cached-code.ts';

/** Milliseconds after which the functions that a start needs are compiled, and after which they are stored. */
const STORE_AFTER_MS = 5_000;

const FUNCTION_START = Buffer.from('(function ({ module, require, __filename }) {');
const FUNCTION_END = Buffer.from('\n})');

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

/**
 * Runs a CommonJS module and returns its exports, with the compiled code of an earlier process if there is any. The first process stores it 5
 * seconds later, or when it ends. When reading, compiling or storing fails, Node loads the file as any other.
 *
 * @param url a file of ASCII text
 * @throws whatever the module throws
 */
export function loadProgram(url: URL): unknown {
  const file = fileURLToPath(url);
  const require = createRequire(url);
  // Coverage needs functions that V8 has compiled itself, and Node maps stack traces of modules only.
  const { NODE_DISABLE_COMPILE_CACHE: off, NODE_V8_COVERAGE: coverage } = process.env;
  if (off || coverage || process.sourceMapsEnabled) return require(file);
  const program = attempt(() => compile(file));
  if (program === undefined) return require(file);
  const module: ModuleScope['module'] = { exports: {} };
  program.run({ module, require, __filename: file });
  if (program.store) storeLater(program.store);
  return module.exports;
}

function compile(file: string): CompiledProgram {
  const source = readFileSync(file);
  const folders = cacheFolders(file);
  const name = codeName(source);
  const cachedData = readCode(name, folders, file);
  const script = new vm.Script(functionText(source), {
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

/**
 * Returns the text of a function of a module. Node keeps a large text outside of the heap when it comes from bytes; V8 would copy a
 * concatenated one into the heap.
 */
const functionText = (source: Uint8Array): string =>
  Buffer.concat([FUNCTION_START, source, FUNCTION_END]).toString('latin1');

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
