import type { CallMethod, ListMethod } from '@gateway/mcp-wire';
import type { CallContext, JsonObject, RpcError } from '@gateway/call-contract';
import type { ToolsetScope, ToolsetRequest } from '../contract/meta-tool.ts';
import { type Refusal, createRefusalResult, createToolsetError } from '../contract/result.ts';
import type { FindTool } from '../scope/absent-tools.ts';
import { createIdleContext, ToolsetScopes } from '../scope/toolset-scope.ts';
import { nativeCalls, nativeRefusals } from './native-calls.ts';
import type { NativeAnswer, NativeCall, NativeOutcome, NativePorts } from './native-contract.ts';
import { NativeLists } from './native-lists.ts';
import {
  createRequestError,
  findNativeResource,
  hasNativeResource,
  toServerUri,
  type NativeContext,
} from './native-resources.ts';

/**
 * The catalog as its servers offer it: their tools, resources and prompts under their own names, narrowed by the request's toolset. Between
 * two requests it caches lists of unchanged catalogs, within bounds. @spec §1.2, §4.1, §4.2, §7.1, §7.2
 */
export class NativeSurface {
  readonly #ports: NativePorts;
  readonly #scopes: ToolsetScopes;
  readonly #listsWithSignIn = new NativeLists(true);
  readonly #listsWithoutSignIn = new NativeLists(false);

  constructor(ports: NativePorts) {
    this.#ports = ports;
    this.#scopes = new ToolsetScopes(ports);
  }

  get #lists(): NativeLists {
    return this.#ports.signsUsersIn() ? this.#listsWithSignIn : this.#listsWithoutSignIn;
  }

  /** Returns a list; the same array means that it did not change. */
  list(
    method: ListMethod,
    request: ToolsetRequest,
  ): NativeOutcome<{ readonly items: readonly JsonObject[] }> {
    const { snapshot, scope } = this.#scopes.resolve(request);
    if (!scope.ok) return this.#refused(scope.refusal);
    return { ok: true, items: this.#lists.list(method, snapshot, scope.value) };
  }

  /** Returns the input schema of a tool by its native or its exposed name; `undefined` where the toolset has no such tool. */
  inputSchema(name: string, request: ToolsetRequest): JsonObject | undefined {
    const { snapshot, scope } = this.#scopes.resolve(request);
    if (!scope.ok) return undefined;
    const tool = this.#lists.index(snapshot).tool(name);
    const isVisible = tool !== undefined && (scope.value?.selection.has(tool) ?? true);
    return isVisible ? tool.inputSchema : undefined;
  }

  /** Returns why the toolset of a request is refused, whatever it requests; `undefined` for a valid or absent one. @spec §7.1 */
  refuseToolset(request: ToolsetRequest): RpcError | undefined {
    const { scope } = this.#scopes.resolve(request);
    return scope.ok ? undefined : this.#refused(scope.refusal).error;
  }

  /** Returns the refusal of a call that the toolset of a request does not select; `undefined` for any other call. Calls no server. @spec §4.2 */
  refuseCall(
    { method, params }: Pick<NativeCall, 'method' | 'params'>,
    request: ToolsetRequest,
  ): NativeAnswer | undefined {
    const scoped = this.#scopes.resolve(request);
    const { scope } = scoped;
    if (!scope.ok) return this.#refusedCall(method, scope.refusal);
    if (scope.value === undefined) return undefined;
    const context = this.#context(scoped, scope.value, createIdleContext(request));
    return nativeRefusals[method](params, { ...context, scope: scope.value });
  }

  /** Answers a call; throws or rejects only when a port does. */
  call({
    method,
    params,
    toolsetHeader,
    context,
  }: NativeCall): NativeAnswer | Promise<NativeAnswer> {
    const scoped = this.#scopes.resolve({ toolsetHeader, principal: context.principal });
    const { scope } = scoped;
    if (!scope.ok) return this.#refusedCall(method, scope.refusal);
    return nativeCalls[method](params, this.#context(scoped, scope.value, context));
  }

  /**
   * Follows a resource for a client. `onUpdated` receives the parameters of each update with the URI that the client gave, as long
   * as the toolset of the request selects the resource.
   */
  async subscribe(
    uri: string,
    onUpdated: (params: JsonObject) => void,
    request: ToolsetRequest,
  ): Promise<NativeOutcome<{ readonly end: () => void }>> {
    const scoped = this.#scopes.resolve(request);
    const { scope } = scoped;
    if (!scope.ok) return this.#refused(scope.refusal);
    const found = findNativeResource(
      uri,
      this.#context(scoped, scope.value, createIdleContext(request)),
    );
    if (!found.ok) return found;
    const resource = { server: found.item.server, uri: toServerUri(found.item, uri) };
    const deliver = (params: JsonObject): void => {
      if (this.#isSelected(uri, request)) onUpdated({ ...params, uri });
    };
    const followed = await this.#ports.subscribeResource(resource, deliver, request.principal);
    return followed.ok
      ? followed
      : { ok: false, error: createRequestError(followed, 'Subscription') };
  }

  /** Returns whether the toolset of a request selects a resource now; a request without a toolset narrows nothing. */
  #isSelected(uri: string, request: ToolsetRequest): boolean {
    if (request.toolsetHeader === undefined) return true;
    const { snapshot, scope } = this.#scopes.resolve(request);
    if (!scope.ok) return false;
    const index = this.#lists.index(snapshot);
    return hasNativeResource(uri, { snapshot, index, scope: scope.value });
  }

  #context(
    { snapshot, presets }: Pick<NativeContext, 'snapshot' | 'presets'>,
    scope: ToolsetScope | undefined,
    call: CallContext,
  ): NativeContext {
    const lists = this.#lists;
    const find: FindTool = ({ catalog }, name) => lists.index(catalog).tool(name);
    const index = lists.index(snapshot);
    return { ports: this.#ports, snapshot, index, presets, scope, call, find };
  }

  /** An agent reads results of tools; nothing else has a place for a sentence but the error. */
  #refusedCall(method: CallMethod, refusal: Refusal): NativeAnswer {
    return method === 'tools/call'
      ? { ok: true, result: createRefusalResult(refusal, this.#ports) }
      : this.#refused(refusal);
  }

  #refused(refusal: Refusal): Extract<NativeAnswer, { readonly ok: false }> {
    return { ok: false, error: createToolsetError(refusal, this.#ports) };
  }
}
