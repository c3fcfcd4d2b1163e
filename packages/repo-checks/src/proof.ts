import ts from 'typescript';

/** A test file that proves a requirement by `requirement('<id>', ...)`. */
export interface Proof {
  readonly id: string;
  readonly file: string;
}

const provenBy = (node: ts.Node): string | undefined => {
  if (!ts.isCallExpression(node)) return undefined;
  const [id] = node.arguments;
  const named = ts.isIdentifier(node.expression) && node.expression.text === 'requirement';
  return named && id !== undefined && ts.isStringLiteralLike(id) ? id.text : undefined;
};

/** The ids that one test file proves, each once. Calls are parsed: a comment or a text proves nothing. */
export const proofsIn = (file: string, text: string): readonly Proof[] => {
  if (!file.endsWith('.test.ts') || !text.includes('requirement(')) return [];
  const ids = new Set<string>();
  const visit = (node: ts.Node): void => {
    const id = provenBy(node);
    if (id !== undefined) ids.add(id);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2023));
  return [...ids].map((id) => ({ id, file }));
};
