import type { CallContext, JsonObject, Principal, RpcError } from '@gateway/call-contract';
import type { CatalogSnapshot } from '@gateway/catalog';
import type { Read } from '../arguments/argument.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { RequestScope } from '../contract/request-scope.ts';
import { refusalResult, toolsetRefusalError } from '../contract/result.ts';
import { idleCallContext } from '../scope/idle-call-context.ts';
import type { FindTool } from '../scope/last-known-tools.ts';
import { ToolsetHeaders } from '../scope/toolset-headers.ts';
import { headerScope } from '../scope/toolset-scope.ts';
import { nativeCalls, nativeRefusals } from './native-calls.ts';
import type { NativeContext } from './native-context.ts';
import { findNativeResource, selectsNativeResource, serverUriOf } from './native-resources.ts';
import type {
  NativeAnswer,
  NativeCall,
  NativeCallMethod,
  NativeListAnswer,
  NativeListMethod,
  NativePorts,
  NativeScope,
  NativeSubscription,
  NativeSurface,
} from './native-contract.ts';
import { NativeLists } from './native-lists.ts';
import { failed } from './native-refusal.ts';

/** A request's snapshot and the scope of its toolset, or the refusal of its toolset. */
interface Narrowed {
  readonly snapshot: CatalogSnapshot;
  readonly scope: Read<RequestScope | undefined>;
}

class Surface implements NativeSurface {
  readonly #ports: NativePorts;
  readonly #headers = new ToolsetHeaders();
  readonly #listsWithSignIn = new NativeLists({ hasSignIn: true });
  readonly #listsWithoutSignIn = new NativeLists({ hasSignIn: false });

  constructor(ports: NativePorts) {
    this.#ports = ports;
  }

  get #lists(): NativeLists {
    return this.#ports.signsPersonsIn() ? this.#listsWithSignIn : this.#listsWithoutSignIn;
  }

  list(method: NativeListMethod, { toolsetHeader, principal }: NativeScope): NativeListAnswer {
    const { snapshot, scope } = this.#narrowed(toolsetHeader, principal);
    if (!scope.ok) return this.#refused(scope.refusal);
    return { ok: true, items: this.#lists.list(method, snapshot, scope.value) };
  }

  inputSchema(name: string, { toolsetHeader, principal }: NativeScope): JsonObject | undefined {
    const { snapshot, scope } = this.#narrowed(toolsetHeader, principal);
    if (!scope.ok) return undefined;
    const tool = this.#lists.index(snapshot).tool(name);
    const isVisible = tool !== undefined && (scope.value?.selection.has(tool) ?? true);
    return isVisible ? tool.inputSchema : undefined;
  }

  refuseToolset({ toolsetHeader, principal }: NativeScope): RpcError | undefined {
    const { scope } = this.#narrowed(toolsetHeader, principal);
    return scope.ok ? undefined : this.#refused(scope.refusal).error;
  }

  refuseCall(
    { method, params }: Pick<NativeCall, 'method' | 'params'>,
    request: NativeScope,
  ): NativeAnswer | undefined {
    const { snapshot, scope } = this.#narrowed(request.toolsetHeader, request.principal);
    if (!scope.ok) return this.#refusedCall(method, scope.refusal);
    if (scope.value === undefined) return undefined;
    const context = this.#context(snapshot, scope.value, idleCallContext(request));
    return nativeRefusals[method](params, { ...context, scope: scope.value });
  }

  call(call: NativeCall): NativeAnswer | Promise<NativeAnswer> {
    const { method, params, toolsetHeader, context } = call;
    const { snapshot, scope } = this.#narrowed(toolsetHeader, context.principal);
    if (scope.ok) return nativeCalls[method](params, this.#context(snapshot, scope.value, context));
    return this.#refusedCall(method, scope.refusal);
  }

  async subscribe(
    uri: string,
    onUpdated: (params: JsonObject) => void,
    request: NativeScope,
  ): Promise<NativeSubscription> {
    const { snapshot, scope } = this.#narrowed(request.toolsetHeader, request.principal);
    if (!scope.ok) return this.#refused(scope.refusal);
    const context = this.#context(snapshot, scope.value, idleCallContext(request));
    const found = findNativeResource(uri, context);
    if (!found.ok) return found;
    const resource = { server: found.item.server, uri: serverUriOf(found.item, uri) };
    const deliver = (params: JsonObject): void => {
      if (this.#isSelected(uri, request)) onUpdated({ ...params, uri });
    };
    const followed = await this.#ports.subscribeResource(resource, deliver, request.principal);
    return followed.ok ? followed : { ok: false, error: failed(followed, 'Subscription') };
  }

  /** Returns whether the toolset of a request selects a resource now; a request without a toolset narrows nothing. */
  #isSelected(uri: string, { toolsetHeader, principal }: NativeScope): boolean {
    if (toolsetHeader === undefined) return true;
    const { snapshot, scope } = this.#narrowed(toolsetHeader, principal);
    if (!scope.ok) return false;
    const index = this.#lists.index(snapshot);
    return selectsNativeResource(uri, { snapshot, index, scope: scope.value });
  }

  #narrowed(header: readonly string[] | undefined, principal: Principal): Narrowed {
    const ports = this.#ports;
    const snapshot = ports.snapshot(principal);
    const basis = { ports, snapshot, presets: ports.presets(), headers: this.#headers };
    return { snapshot, scope: headerScope(header, basis) };
  }

  #context(
    snapshot: CatalogSnapshot,
    scope: RequestScope | undefined,
    call: CallContext,
  ): NativeContext {
    const ports = this.#ports;
    const presets = ports.presets();
    const lists = this.#lists;
    const find: FindTool = ({ catalog }, name) => lists.index(catalog).tool(name);
    return { ports, snapshot, index: lists.index(snapshot), presets, scope, call, find };
  }

  /** An agent reads results of tools; nothing else has a place for a sentence but the error. */
  #refusedCall(method: NativeCallMethod, refusal: Refusal): NativeAnswer {
    return method === 'tools/call'
      ? { ok: true, ...refusalResult(refusal, this.#ports) }
      : this.#refused(refusal);
  }

  #refused(refusal: Refusal): { readonly ok: false; readonly error: RpcError } {
    return { ok: false, error: toolsetRefusalError(refusal, this.#ports) };
  }
}

/**
 * Creates the native surface over its ports: the same catalog as that of the meta-tools, under the same toolsets. Between two
 * requests it caches lists of unchanged catalogs, within bounds.
 *
 * @spec §1.2, §4.1, §4.2, §7.1, §7.2
 */
export const createNativeSurface = (ports: NativePorts): NativeSurface => new Surface(ports);
