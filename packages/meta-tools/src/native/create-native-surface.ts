import {
  ANONYMOUS,
  type CallContext,
  type JsonObject,
  type RpcError,
} from '@gateway/call-contract';
import type { CatalogSnapshot } from '@gateway/catalog';
import type { Read } from '../arguments/argument.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { RequestScope } from '../contract/request-scope.ts';
import { refusalResult } from '../contract/result.ts';
import { ToolsetHeaders } from '../scope/toolset-headers.ts';
import { headerScope } from '../scope/toolset-scope.ts';
import { nativeCalls } from './native-calls.ts';
import type { NativeContext } from './native-context.ts';
import { findNativeResource, serverUriOf } from './native-resources.ts';
import type {
  NativeAnswer,
  NativeCall,
  NativeListAnswer,
  NativeListMethod,
  NativePorts,
  NativeScope,
  NativeSubscription,
  NativeSurface,
} from './native-contract.ts';
import { NativeLists } from './native-lists.ts';
import { failed, refusedByToolset } from './native-refusal.ts';

/** A request's snapshot and the scope of its toolset, or the refusal of its toolset. */
interface Narrowed {
  readonly snapshot: CatalogSnapshot;
  readonly scope: Read<RequestScope | undefined>;
}

/** The context of a subscription, which runs no call: it has no caller and is never cancelled. */
const contextOf = ({ sessionId }: NativeScope): CallContext => ({
  principal: ANONYMOUS,
  sessionId,
  signal: new AbortController().signal,
});

/** The updates of a resource under the URI by which the client knows it. */
const underUri =
  (uri: string, onUpdated: (params: JsonObject) => void) =>
  (params: JsonObject): void => {
    onUpdated({ ...params, uri });
  };

class Surface implements NativeSurface {
  readonly #ports: NativePorts;
  readonly #headers = new ToolsetHeaders();
  readonly #lists = new NativeLists();

  constructor(ports: NativePorts) {
    this.#ports = ports;
  }

  list(method: NativeListMethod, { toolsetHeader, sessionId }: NativeScope): NativeListAnswer {
    const { snapshot, scope } = this.#narrowed(toolsetHeader, sessionId);
    if (!scope.ok) return this.#refused(scope.refusal);
    return { ok: true, items: this.#lists.list(method, snapshot, scope.value) };
  }

  inputSchema(name: string, { toolsetHeader, sessionId }: NativeScope): JsonObject | undefined {
    const { snapshot, scope } = this.#narrowed(toolsetHeader, sessionId);
    if (!scope.ok) return undefined;
    const tool = this.#lists.index(snapshot).tool(name);
    const isVisible = tool !== undefined && (scope.value?.selection.has(tool) ?? true);
    return isVisible ? tool.inputSchema : undefined;
  }

  call(call: NativeCall): NativeAnswer | Promise<NativeAnswer> {
    const { method, params, toolsetHeader, context } = call;
    const { snapshot, scope } = this.#narrowed(toolsetHeader, context.sessionId);
    if (scope.ok) return nativeCalls[method](params, this.#context(snapshot, scope.value, context));
    // An agent reads results of tools; nothing else has a place for a sentence but the error.
    return method === 'tools/call'
      ? { ok: true, ...refusalResult(scope.refusal, this.#ports) }
      : this.#refused(scope.refusal);
  }

  async subscribe(
    uri: string,
    onUpdated: (params: JsonObject) => void,
    request: NativeScope,
  ): Promise<NativeSubscription> {
    const { snapshot, scope } = this.#narrowed(request.toolsetHeader, request.sessionId);
    if (!scope.ok) return this.#refused(scope.refusal);
    const context = this.#context(snapshot, scope.value, contextOf(request));
    const found = findNativeResource(uri, context);
    if (!found.ok) return found;
    const resource = { server: found.item.server, uri: serverUriOf(found.item, uri) };
    const followed = await this.#ports.subscribeResource(resource, underUri(uri, onUpdated));
    return followed.ok ? followed : { ok: false, error: failed(followed, 'Subscription') };
  }

  #narrowed(header: readonly string[] | undefined, sessionId: string | undefined): Narrowed {
    const ports = this.#ports;
    const snapshot = ports.snapshot(sessionId);
    const basis = { ports, snapshot, presets: ports.presets(), headers: this.#headers };
    return { snapshot, scope: headerScope(header, basis) };
  }

  #context(
    snapshot: CatalogSnapshot,
    scope: RequestScope | undefined,
    call: CallContext,
  ): NativeContext {
    return { ports: this.#ports, snapshot, index: this.#lists.index(snapshot), scope, call };
  }

  #refused(refusal: Refusal): { readonly ok: false; readonly error: RpcError } {
    return { ok: false, error: refusedByToolset(refusal, this.#ports) };
  }
}

/**
 * Creates the native surface over its ports: the same catalog as that of the meta-tools, under the same toolsets. Between two
 * requests it caches lists of unchanged catalogs, within bounds.
 *
 * @spec §1.2, §4.1, §4.2, §7.1, §7.2
 */
export const createNativeSurface = (ports: NativePorts): NativeSurface => new Surface(ports);
