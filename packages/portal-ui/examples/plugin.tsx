import '@mantine/core/styles.css';
import { MantineProvider } from '@mantine/core';
import {
  resolvePortalColors,
  portalTheme,
  SignInOffers,
  ToolsetCard,
  ToolsStep,
  type StartSignIn,
} from '@gateway/portal-ui';
import {
  toDeclaredAccess,
  createCatalogSections,
  toDeclaredToolset,
  EMPTY_COMPOSITION,
  parsePresetCards,
  parseResolution,
  parseServers,
  parseServersRequiringAuth,
  listServersToSignIn,
  readTools,
  type CatalogSection,
  type ResolutionState,
  type ResolutionCall,
} from '@gateway/toolset-composer';
import { useEffect, useState, type ReactNode } from 'react';

/** Calls a meta-tool and returns the JSON of its answer. Rejects with an error whose message is the sentence of the gateway. */
export type CallMetaTool = (name: string, args: object) => Promise<unknown>;

interface Result {
  readonly isError?: boolean;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly content?: readonly { readonly text?: string }[];
}

interface Answer {
  readonly result?: Result;
  readonly error?: { readonly message: string };
}

const textOf = (result?: Result): string => result?.content?.[0]?.text ?? '';

/** An answer is JSON, or a stream of events whose last one is the answer. */
const answerIn = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const data = text.split('\n').filter((line) => line.startsWith('data:'));
  return JSON.parse(isStream ? (data.at(-1)?.slice('data:'.length) ?? '{}') : text) as Answer;
};

const requestOf = (name: string, args: object): RequestInit => ({
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
    'x-gateway-expose': 'meta',
  },
  body: JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: {
      ...{ name, arguments: args },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'plugin', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
});

/** What the components need of the host. Both functions must stay the same between renderings. */
export interface Host {
  readonly callMetaTool: CallMetaTool;
  /** Calls `core_auth_login` with the name of a server, through `call_tool`. */
  readonly startSignIn: StartSignIn;
}

/** The functions of a host whose backend has a path that adds the token of the user and passes requests to `/mcp` of the gateway. */
export const hostAt = (path: string, send: typeof fetch): Host => {
  const call = async (name: string, args: object): Promise<Result> => {
    const { result, error } = await answerIn(await send(path, requestOf(name, args)));
    if (result === undefined || result.isError === true)
      throw new Error(error?.message ?? textOf(result));
    return result;
  };
  return {
    callMetaTool: async (name, args) => {
      const result = await call(name, args);
      return result.structuredContent ?? (JSON.parse(textOf(result)) as unknown);
    },
    startSignIn: async (server) => {
      const login = { name: 'core_auth_login', arguments: { server } };
      const result = await call('call_tool', login);
      const url = result.structuredContent?.['authUrl'];
      return { message: textOf(result), ...(typeof url === 'string' && { url }) };
    },
  };
};

/** Calls a meta-tool when its arguments change. Applications use their library for requests instead. */
const useAnswer = (call: CallMetaTool, name: string, args: object): ResolutionCall => {
  const key = JSON.stringify(args);
  const [last, setLast] = useState<{ readonly key: string; readonly state: ResolutionCall }>();
  useEffect(() => {
    let isCurrent = true;
    const show = (state: ResolutionCall): void => {
      if (isCurrent) setLast({ key, state });
    };
    call(name, JSON.parse(key) as object).then(
      (answer) => show({ kind: 'answered', answer }),
      (error: unknown) => show({ kind: 'failed', message: String(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, name, key]);
  return last?.key === key ? last.state : { kind: 'pending' };
};

const answerOf = (call: ResolutionCall): unknown =>
  call.kind === 'answered' ? call.answer : undefined;

const SERVERS = { name: 'core_mcpserver_list', arguments: { showAll: true } };

/** The catalog of the user; undefined until it is known. */
const useSections = (call: CallMetaTool): readonly CatalogSection[] | undefined => {
  const tools = answerOf(useAnswer(call, 'list_tools', { summary: true, limit: 100_000 }));
  // A user who may not list servers still has their tools.
  const servers = answerOf(useAnswer(call, 'call_tool', SERVERS));
  if (tools === undefined) return undefined;
  return createCatalogSections({
    tools: readTools(tools),
    servers: parseServers(servers),
    requiringAuth: parseServersRequiringAuth(tools),
  });
};

const useResolution = (call: CallMetaTool, toolset: readonly string[]): ResolutionState =>
  parseResolution(useAnswer(call, 'filter_tools', { toolset, limit: 2000 }));

/** The Tools step of a wizard. `onToolset` receives what the release declares: `["preset:none"]` when nothing is chosen. */
export const AgentTools = ({
  host: { callMetaTool, startSignIn },
  onToolset,
}: {
  readonly host: Host;
  readonly onToolset: (toolset: readonly string[]) => void;
}): ReactNode => {
  const [composition, setComposition] = useState(EMPTY_COMPOSITION);
  const presets = useAnswer(callMetaTool, 'filter_tools', { include_presets: true, limit: 1 });
  return (
    <ToolsStep
      composition={composition}
      onChange={(next) => {
        setComposition(next);
        onToolset(toDeclaredToolset(next));
      }}
      presets={parsePresetCards(answerOf(presets))}
      sections={useSections(callMetaTool)}
      catalogNotice="Loading the catalog…"
      agents={[{ name: 'default/notes', toolset: ['preset:read-only'] }]}
      resolution={useResolution(callMetaTool, toDeclaredToolset(composition))}
      onSignIn={startSignIn}
    />
  );
};

/** The Toolset card of an agent, which has the fields of an answer of agent-manager. */
export const AgentCard = ({
  host: { callMetaTool, startSignIn },
  agent,
}: {
  readonly host: Host;
  readonly agent: Parameters<typeof toDeclaredAccess>[0];
}): ReactNode => {
  const declared = toDeclaredAccess(agent);
  const toolset = declared.access === 'toolset' ? declared.toolset : ['preset:none'];
  const resolution = useResolution(callMetaTool, toolset);
  const sections = useSections(callMetaTool) ?? [];
  const waiting = resolution.state === 'resolved' ? resolution.requiringAuth : [];
  return (
    <ToolsetCard declared={declared} resolution={resolution}>
      <SignInOffers servers={listServersToSignIn(sections, waiting)} onSignIn={startSignIn} />
    </ToolsetCard>
  );
};

/** Goes around all components, once. */
export const Appearance = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <MantineProvider
    theme={portalTheme}
    cssVariablesResolver={resolvePortalColors}
    defaultColorScheme="auto"
  >
    {children}
  </MantineProvider>
);
