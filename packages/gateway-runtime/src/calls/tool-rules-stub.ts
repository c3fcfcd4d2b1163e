import { compileGlob } from '@gateway/catalog';
import type { ToolRule } from '@gateway/crd-schemas';

export const findToolRules = (rules: readonly ToolRule[], tool: string): readonly ToolRule[] => [
  ...rules.filter(({ pattern }) => {
    const glob = pattern === undefined ? undefined : compileGlob(pattern);
    return glob?.ok === true && glob.matches(tool);
  }),
  ...rules.filter(({ name }) => name === tool),
];
