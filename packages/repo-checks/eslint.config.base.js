import { resolve } from 'node:path';
import jsdoc from 'eslint-plugin-jsdoc';
import node from 'eslint-plugin-n';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { pure } from '../../.dependency-cruiser.mjs';

/** The lint rules of the whole repository, by kind of file. One list, used by the editor, by `eslint .` and by `pnpm check`. */

const root = resolve(import.meta.dirname, '../..');
const TYPESCRIPT = ['**/*.ts', '**/*.tsx'];
const SOURCES = ['**/src/**/*.ts', '**/src/**/*.tsx'];
const TESTS = ['**/test/**/*.ts', '**/test/**/*.tsx'];
/** React components and their hooks. */
const COMPONENTS = ['packages/portal-ui', 'packages/portal-web'].flatMap((folder) => [
  `${folder}/**/*.ts`,
  `${folder}/**/*.tsx`,
]);
const SCRIPTS = ['**/*.js', '**/*.mjs', '**/*.cjs'];
const TOOL_CONFIGS = ['**/*.config.ts'];

/** Sources run on every supported release, though the types that they are compiled with know the newest. */
const OLDEST_NODE = '>=22.12.0';

const TEST_WORDS = '/^(it|test|describe|suite|bench)$/';
const MUTED_WORDS = '/^(skip|only|todo|skipIf|runIf)$/';
const MUTED_MESSAGE = 'A test runs or is deleted: no skip, only or todo.';

const everywhere = [
  {
    selector: 'ExportAllDeclaration',
    message: 'Name every export: `export { a, b } from`, never `export *`.',
  },
  {
    selector: `MemberExpression[object.name=${TEST_WORDS}][property.name=${MUTED_WORDS}]`,
    message: MUTED_MESSAGE,
  },
  {
    selector: `MemberExpression[object.object.name=${TEST_WORDS}][property.name=${MUTED_WORDS}]`,
    message: MUTED_MESSAGE,
  },
  {
    selector:
      'CallExpression[callee.object.name="vi"][callee.property.name=/^wait(For|Until)$/][arguments.length=1]',
    message:
      'Their limit is one second, which a loaded machine misses: use expect.poll, or name a limit.',
  },
];

const namedExportsOnly = [
  {
    selector: 'ExportDefaultDeclaration',
    message: 'Export by name: a default export has no name to search for.',
  },
  {
    selector: 'ExportSpecifier[exported.name="default"]',
    message: 'Export by name, never as `default`.',
  },
];

/** The verbs that names of functions begin with. */
const VERBS = `
  accept acquire add admit align allow answer append apply are ask assemble assign attempt audit block bridge build
  bundle cache call can change charge check choose claim clamp clean clear close collect compact compare compile
  complete compose compute configure confirm conform connect consume continue control copy count create darken decide
  declare decode decrypt define delete derive describe detect diff dig digest disable discard discover dispatch divide
  download drain drop edit encode end ensure escape estimate evaluate exchange exclude exit expand expect explain
  export extract fail fetch fill filter find finish focus fold follow forget format forward freeze from fuse gather
  get go grant group guess handle has hash identify ignore import include indent index inform inherit init insert
  inspect install interpret intersect is join keep launch lex limit link lint list listen load log look lower make map
  mark mask match may measure memoize merge mount name narrow needs negotiate normalize observe omit open pack package
  pad parse pass patch pause peek pick pin place plan prefill prepare print probe provide publish push query quote
  race rank read record redact redirect refresh refuse register remember remove render rename renew reopen replace report
  request require resolve respond restart retain retry return revoke rewrite route run save scan seal search select
  send serve set settle share shorten show sign signal skip slice sort spend splice split start stop store submit subscribe
  subtract sum sync take terminate throw to toggle trim truncate try unescape unite unpack unwrap update validate
  verify visit wait walk watch with without wrap write
`
  .trim()
  .split(/\s+/);

const VERB_FIRST = `/^(?!(?:use|${VERBS.join('|')})(?![a-z]))[a-z]/`;
const FUNCTION_NAME =
  'Begin the name of a function with a verb of the list, such as `format`, `find` or `create`.';

/** The names of functions and exports; rule 1 of "Writing" in docs/CONTRIBUTING.md. */
const declaredNames = [
  {
    selector: `:matches(Program, ExportNamedDeclaration) > FunctionDeclaration[id.name=${VERB_FIRST}]`,
    message: FUNCTION_NAME,
  },
  {
    selector: `:matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator[init.type=/^(ArrowFunction|Function)Expression$/][id.name=${VERB_FIRST}]`,
    message: FUNCTION_NAME,
  },
  {
    selector:
      ':matches(Program, ExportNamedDeclaration) > :matches(FunctionDeclaration, ClassDeclaration, TSInterfaceDeclaration, TSTypeAliasDeclaration)[id.name=/[a-z]Of$/]',
    message: 'Name what is returned or declared, without `Of`.',
  },
  {
    selector:
      ':matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator[id.name=/[a-z]Of$/]',
    message: 'Name what is returned or declared, without `Of`.',
  },
];

const INTERPRETED = 'Text is interpreted under bounds, never compiled.';

/** Modules that run text as code. */
const codeRunners = ['vm', 'node:vm'].map((name) => ({ name, message: INTERPRETED }));

/** User-authored text is parsed and interpreted, never compiled. */
const noCompiledText = {
  'no-eval': 'error',
  'no-new-func': 'error',
  'no-script-url': 'error',
  'no-restricted-globals': ['error', { name: 'eval', message: INTERPRETED }],
  'no-restricted-imports': ['error', ...codeRunners],
};

const IMPURE = 'This package is pure: take it as a parameter.';

const impureGlobals = [
  'Buffer',
  'fetch',
  'global',
  'performance',
  'process',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
].map((name) => ({ name, message: IMPURE }));

const impureProperties = [
  { object: 'Date', property: 'now', message: IMPURE },
  { object: 'Math', property: 'random', message: IMPURE },
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '**/coverage/',
      '**/.turbo/',
      '**/fixtures/',
      '**/example/files/',
      '**/*.d.ts',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    name: 'all code',
    files: [...TYPESCRIPT, ...SCRIPTS],
    rules: {
      ...noCompiledText,
      complexity: ['error', 12],
      eqeqeq: 'error',
      'max-params': ['error', 4],
      'no-restricted-syntax': ['error', ...everywhere],
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    name: 'typescript',
    files: TYPESCRIPT,
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'separate-type-imports' },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { allowDefaultCaseForExhaustiveSwitch: false, considerDefaultExhaustiveForUnions: false },
      ],
      'no-restricted-syntax': ['error', ...everywhere, ...namedExportsOnly],
    },
  },
  {
    name: 'tool configuration',
    files: TOOL_CONFIGS,
    rules: { 'no-restricted-syntax': ['error', ...everywhere] },
  },
  {
    name: 'sources',
    files: SOURCES,
    plugins: { jsdoc, n: node },
    settings: { jsdoc: { mode: 'typescript' } },
    rules: {
      'no-restricted-syntax': ['error', ...everywhere, ...namedExportsOnly, ...declaredNames],
      'n/no-unsupported-features/node-builtins': [
        'error',
        { version: OLDEST_NODE, allowExperimental: true },
      ],
      'max-lines': ['error', { max: 500 }],
      'no-console': 'error',
      'jsdoc/check-param-names': [
        'error',
        { checkDestructured: false, disableMissingParamChecks: true },
      ],
      'jsdoc/check-tag-names': ['error', { definedTags: ['spec'], typed: true }],
      'jsdoc/informative-docs': 'error',
      'jsdoc/no-types': 'error',
    },
  },
  {
    name: 'components',
    files: COMPONENTS,
    extends: [reactHooks.configs.flat['recommended-latest']],
    // It concerns the compiler of React, which the build does not use.
    rules: { 'react-hooks/incompatible-library': 'off' },
  },
  {
    name: 'pure sources',
    files: pure.map((folder) => `packages/${folder}/**/*.ts`),
    rules: {
      'no-restricted-globals': [...noCompiledText['no-restricted-globals'], ...impureGlobals],
      'no-restricted-properties': ['error', ...impureProperties],
    },
  },
  {
    // The rule does not end on types that contain themselves beside a class, such as TemplateValue.
    name: 'recursive values',
    files: ['packages/go-template/**/*.ts', 'packages/workflow-engine/**/*.ts'],
    rules: { '@typescript-eslint/no-unsafe-class-instance-assignment': 'off' },
  },
  {
    name: 'tests',
    files: TESTS,
    rules: {
      'max-lines': ['error', { max: 500 }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    name: 'benchmarks',
    files: ['**/bench/**'],
    rules: { complexity: 'off' },
  },
);
