/** Module hooks of `load-typescript.mjs`; Node calls them in a thread of their own. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const OPTIONS = {
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2023,
  verbatimModuleSyntax: true,
  inlineSourceMap: true,
};

export const resolve = (specifier, context, next) =>
  next(specifier, { ...context, conditions: [...context.conditions, '@gateway/source'] });

export const load = async (url, context, next) => {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const fileName = fileURLToPath(url);
  const { outputText } = ts.transpileModule(await readFile(fileName, 'utf8'), {
    compilerOptions: OPTIONS,
    fileName,
  });
  return { format: 'module', source: outputText, shortCircuit: true };
};
