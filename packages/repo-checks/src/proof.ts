import { createRequire } from 'node:module';
import type typescript from 'typescript';

// An import would parse its nine megabytes once more for the names that it exports.
const ts = createRequire(import.meta.url)('typescript') as typeof typescript;

/** A test file that proves a requirement by `requirement('<id>', ...)`. */
export interface Proof {
  readonly id: string;
  readonly file: string;
}

const provenBy = (node: typescript.Node): string | undefined => {
  if (!ts.isCallExpression(node)) return undefined;
  const [id] = node.arguments;
  const named = ts.isIdentifier(node.expression) && node.expression.text === 'requirement';
  return named && id !== undefined && ts.isStringLiteralLike(id) ? id.text : undefined;
};

/** The ids that one test file proves, each once. Calls are parsed: a comment or a text proves nothing. */
export const proofsIn = (file: string, text: string): readonly Proof[] => {
  if (!file.endsWith('.test.ts') || !text.includes('requirement(')) return [];
  const ids = new Set<string>();
  const visit = (node: typescript.Node): void => {
    const id = provenBy(node);
    if (id !== undefined) ids.add(id);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2023));
  return [...ids].map((id) => ({ id, file }));
};
