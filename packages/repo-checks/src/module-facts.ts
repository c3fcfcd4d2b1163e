import { createRequire } from 'node:module';
import { posix } from 'node:path';
import type typescript from 'typescript';

// An import would parse its nine megabytes once more for the names that it exports.
const ts = createRequire(import.meta.url)('typescript') as typeof typescript;

/** A name in another file; `*` is the whole module. */
export interface ExportBinding {
  readonly file: string;
  readonly name: string;
}

/** The parts of a module that say which names depend on which. */
export interface ModuleFacts {
  readonly file: string;
  /** Names that it imports from files of the repository, by the name that it uses. */
  readonly imports: ReadonlyMap<string, ExportBinding>;
  /** Names that it exports from other files. */
  readonly reexports: ReadonlyMap<string, ExportBinding>;
  /** Identifiers in each declaration at the top level, by its name. */
  readonly declarations: ReadonlyMap<string, ReadonlySet<string>>;
  /** Identifiers in the bodies of `requirement('<id>', ...)`, by id. */
  readonly requirements: ReadonlyMap<string, ReadonlySet<string>>;
}

const findIdentifiers = (node: typescript.Node): ReadonlySet<string> => {
  const found = new Set<string>();
  const visit = (inner: typescript.Node): void => {
    if (ts.isIdentifier(inner)) found.add(inner.text);
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return found;
};

const resolveImport = (
  file: string,
  node: typescript.Expression | undefined,
): string | undefined =>
  node !== undefined && ts.isStringLiteral(node) && node.text.startsWith('.')
    ? posix.join(posix.dirname(file), node.text)
    : undefined;

type Pairs = readonly (readonly [string, ExportBinding])[];

const readImports = (file: string, node: typescript.Statement): Pairs => {
  if (!ts.isImportDeclaration(node)) return [];
  const target = resolveImport(file, node.moduleSpecifier);
  const bindings = node.importClause?.namedBindings;
  if (target === undefined || bindings === undefined) return [];
  if (ts.isNamespaceImport(bindings)) return [[bindings.name.text, { file: target, name: '*' }]];
  return bindings.elements.map(({ name, propertyName }) => [
    name.text,
    { file: target, name: (propertyName ?? name).text },
  ]);
};

const readReexports = (file: string, node: typescript.Statement): Pairs => {
  if (!ts.isExportDeclaration(node) || node.exportClause === undefined) return [];
  const target = resolveImport(file, node.moduleSpecifier);
  if (target === undefined || !ts.isNamedExports(node.exportClause)) return [];
  return node.exportClause.elements.map(({ name, propertyName }) => [
    name.text,
    { file: target, name: (propertyName ?? name).text },
  ]);
};

type Uses = readonly (readonly [string, ReadonlySet<string>])[];

const readDeclarations = (node: typescript.Statement): Uses => {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap((declaration) =>
      [...findIdentifiers(declaration.name)].map(
        (name) => [name, findIdentifiers(declaration)] as const,
      ),
    );
  const isNamed =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node);
  return isNamed && node.name !== undefined ? [[node.name.text, findIdentifiers(node)]] : [];
};

/** Returns the id of a call `requirement('<id>', ...)`. */
const readRequirementId = (node: typescript.Node): string | undefined => {
  if (!ts.isCallExpression(node)) return undefined;
  const [id] = node.arguments;
  const isNamed = ts.isIdentifier(node.expression) && node.expression.text === 'requirement';
  return isNamed && id !== undefined && ts.isStringLiteralLike(id) ? id.text : undefined;
};

const findRequirements = (
  source: typescript.SourceFile,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, ReadonlySet<string>>();
  const visit = (node: typescript.Node): void => {
    const id = readRequirementId(node);
    if (id !== undefined)
      found.set(id, new Set([...(found.get(id) ?? []), ...findIdentifiers(node)]));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

/** Parses a module. Calls are parsed too: a comment or a text proves nothing. */
export const parseModule = (file: string, text: string): ModuleFacts => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023);
  const { statements } = source;
  return {
    file,
    imports: new Map(statements.flatMap((node) => readImports(file, node))),
    reexports: new Map(statements.flatMap((node) => readReexports(file, node))),
    declarations: new Map(statements.flatMap(readDeclarations)),
    requirements: text.includes('requirement(') ? findRequirements(source) : new Map(),
  };
};

/** A test file that proves a requirement by `requirement('<id>', ...)`. */
export interface Proof {
  readonly id: string;
  readonly file: string;
}

/** Returns the ids that one test file proves, each once. Calls are parsed: a comment or a text proves nothing. */
export const findProofs = (file: string, text: string): readonly Proof[] =>
  /\.test\.tsx?$/.test(file) && text.includes('requirement(')
    ? [...parseModule(file, text).requirements.keys()].map((id) => ({ id, file }))
    : [];
