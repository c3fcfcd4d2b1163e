import { parsePresets, presetErrorText, type PresetSet } from '@gateway/preset-resolver';
import type { ConfigDocument, ResourceProblem } from '@gateway/resource-store';
import { parseConfig, type GatewayConfig } from './parse-config.ts';
import { GATEWAY_VERSION } from './version.ts';

/** The whole of `config.yaml` as types, or every problem of it with its place in the file. */
export type Configuration =
  | { readonly ok: true; readonly config: GatewayConfig; readonly presets: PresetSet }
  | { readonly ok: false; readonly problems: readonly ResourceProblem[] };

/**
 * Reads the document of `config.yaml`; without one everything has its default.
 *
 * @spec §2.2, §7.3
 */
export function readConfiguration(document: ConfigDocument | undefined): Configuration {
  const parsed = parseConfig(document?.value, process.env);
  const value = document?.value;
  const presets = parsePresets(presetsOf(value), { gatewayVersion: GATEWAY_VERSION });
  if (parsed.ok && presets.ok) return { ok: true, config: parsed.config, presets: presets.presets };
  const place = (path: readonly (string | number)[], message: string): ResourceProblem => ({
    source: document?.source ?? 'config.yaml',
    kind: 'Configuration',
    ...document?.locate(path),
    message,
  });
  return {
    ok: false,
    problems: inOrderOfLines([
      ...(parsed.ok ? [] : parsed.issues.map(({ path, message }) => place(path, message))),
      ...(presets.ok
        ? []
        : presets.errors.map((error) =>
            place(['toolsetPresets', ...error.path], presetErrorText(error)),
          )),
    ]),
  };
}

/** Problems without a place come first; those of one place stay in their order. */
function inOrderOfLines(problems: readonly ResourceProblem[]): readonly ResourceProblem[] {
  return problems.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

function presetsOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, 'toolsetPresets')
    ? (value as Record<string, unknown>)['toolsetPresets']
    : undefined;
}
