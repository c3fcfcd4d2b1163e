import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type typescript from 'typescript';

// An import would parse its nine megabytes once more for the names that it exports.
const ts = createRequire(import.meta.url)('typescript') as typeof typescript;

/** The type of a value in an interface of `kubernetes-types`. */
export type Shape =
  | { readonly type: 'string' | 'number' | 'boolean' }
  | { readonly type: 'literal'; readonly value: string }
  | { readonly type: 'list'; readonly items: Shape }
  | { readonly type: 'map'; readonly values: Shape }
  | { readonly type: 'either'; readonly shapes: readonly Shape[] }
  | { readonly type: 'named'; readonly module: string; readonly name: string };

/** One field of an interface. */
export interface Field {
  readonly shape: Shape;
  readonly required: boolean;
}

/** A declaration of a module: the fields of an interface, or another type. */
export type Declaration =
  | { readonly type: 'fields'; readonly fields: ReadonlyMap<string, Field> }
  | { readonly type: 'alias'; readonly shape: Shape };

type Module = ReadonlyMap<string, () => Declaration>;

const PACKAGE = dirname(createRequire(import.meta.url).resolve('kubernetes-types/package.json'));

const optional = (shape: Shape): Field => ({ shape, required: false });

/** Fields of `JSONSchemaProps` that the package omits because their names need quotes. */
const SCHEMA_EXTENSIONS: ReadonlyMap<string, Field> = new Map([
  ['x-kubernetes-embedded-resource', optional({ type: 'boolean' })],
  ['x-kubernetes-int-or-string', optional({ type: 'boolean' })],
  ['x-kubernetes-preserve-unknown-fields', optional({ type: 'boolean' })],
  ['x-kubernetes-list-map-keys', optional({ type: 'list', items: { type: 'string' } })],
  ['x-kubernetes-list-type', optional({ type: 'string' })],
  ['x-kubernetes-map-type', optional({ type: 'string' })],
  [
    'x-kubernetes-validations',
    optional({
      type: 'list',
      items: { type: 'named', module: 'apiextensions/v1', name: 'ValidationRule' },
    }),
  ],
]);

const modules = new Map<string, Module>();

const importsOf = (source: typescript.SourceFile, module: string): ReadonlyMap<string, string> =>
  new Map(
    source.statements
      .filter(ts.isImportDeclaration)
      .flatMap(({ importClause, moduleSpecifier }) => {
        const from = join(dirname(module), (moduleSpecifier as typescript.StringLiteral).text);
        const bindings = importClause?.namedBindings;
        if (bindings === undefined || !ts.isNamedImports(bindings)) return [];
        return bindings.elements.map(({ name }) => [name.text, from] as const);
      }),
  );

type ShapeOf = (node: typescript.TypeNode) => Shape;

const referenceShape = (
  node: typescript.TypeReferenceNode,
  shapeOf: ShapeOf,
  moduleOf: (name: string) => string,
): Shape => {
  const name = (node.typeName as typescript.Identifier).text;
  const [items] = node.typeArguments ?? [];
  if (items !== undefined) return { type: 'list', items: shapeOf(items) };
  return { type: 'named', module: moduleOf(name), name };
};

const KEYWORDS: Partial<Record<typescript.SyntaxKind, Shape>> = {
  [ts.SyntaxKind.StringKeyword]: { type: 'string' },
  [ts.SyntaxKind.NumberKeyword]: { type: 'number' },
  [ts.SyntaxKind.BooleanKeyword]: { type: 'boolean' },
};

const mapShape = (node: typescript.TypeLiteralNode, shapeOf: ShapeOf): Shape => {
  const [member] = node.members;
  if (member === undefined || !ts.isIndexSignatureDeclaration(member))
    throw new Error('a type literal of kubernetes-types is no map');
  return { type: 'map', values: shapeOf(member.type) };
};

const shapeReader = (moduleOf: (name: string) => string): ShapeOf => {
  const shapeOf: ShapeOf = (node) => {
    const keyword = KEYWORDS[node.kind];
    if (keyword !== undefined) return keyword;
    if (ts.isTypeReferenceNode(node)) return referenceShape(node, shapeOf, moduleOf);
    if (ts.isArrayTypeNode(node)) return { type: 'list', items: shapeOf(node.elementType) };
    if (ts.isUnionTypeNode(node)) return { type: 'either', shapes: node.types.map(shapeOf) };
    if (ts.isTypeLiteralNode(node)) return mapShape(node, shapeOf);
    if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal))
      return { type: 'literal', value: node.literal.text };
    throw new Error(
      `kubernetes-types has a kind of type that is not read: ${ts.SyntaxKind[node.kind]}`,
    );
  };
  return shapeOf;
};

const fieldsOfInterface = (
  node: typescript.InterfaceDeclaration,
  shapeOf: ShapeOf,
): Declaration => ({
  type: 'fields',
  fields: new Map(
    node.members.filter(ts.isPropertySignature).map(({ name, type, questionToken }) => {
      if (type === undefined) throw new Error('a field of kubernetes-types has no type');
      const field = { shape: shapeOf(type), required: questionToken === undefined };
      return [(name as typescript.Identifier | typescript.StringLiteral).text, field] as const;
    }),
  ),
});

const readModule = (module: string): Module => {
  const text = readFileSync(join(PACKAGE, `${module}.d.ts`), 'utf8');
  const source = ts.createSourceFile(module, text, ts.ScriptTarget.Latest);
  const imports = importsOf(source, module);
  const shapeOf = shapeReader((name) => imports.get(name) ?? module);
  const declarations = new Map<string, () => Declaration>();
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement)) {
      let read: Declaration | undefined;
      declarations.set(statement.name.text, () => (read ??= fieldsOfInterface(statement, shapeOf)));
    } else if (ts.isTypeAliasDeclaration(statement)) {
      declarations.set(statement.name.text, () => ({
        type: 'alias',
        shape: shapeOf(statement.type),
      }));
    }
  }
  return declarations;
};

/**
 * Returns the declaration of a name in a module of `kubernetes-types`; undefined without one.
 *
 * The interfaces are read as data by TypeScript's parser: no program is made and no type is checked, so a module costs
 * some milliseconds, once, and a problem of an object has its path.
 *
 * @param module path inside the package, such as `apps/v1`
 */
export function declarationOf(module: string, name: string): Declaration | undefined {
  const known = modules.get(module) ?? readModule(module);
  modules.set(module, known);
  const declaration = known.get(name)?.();
  return name === 'JSONSchemaProps' && declaration?.type === 'fields'
    ? { type: 'fields', fields: new Map([...declaration.fields, ...SCHEMA_EXTENSIONS]) }
    : declaration;
}
