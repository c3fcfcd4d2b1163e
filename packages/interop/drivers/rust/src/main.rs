//! Runs the operations of the compatibility suite with rmcp, the official Rust SDK.
//!
//! The suite sends one operation a line on standard input, as JSON. The answer is one line on standard output: `{"value": ...}` or
//! `{"error": text}`.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use http::{HeaderName, HeaderValue};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientCapabilities, ClientConfig, ClientRequest, ElicitRequestParams,
    ElicitResult, ElicitationAction, GetPromptRequestParams, Implementation, ProgressNotificationParam,
    ReadResourceRequestParams,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RequestContext, RequestHandle, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, ErrorData, RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::Notify;

type Failure = Box<dyn std::error::Error>;

/// The notifications of a connection, and the answer to questions.
#[derive(Clone, Default)]
struct Handler {
    answer: Option<Value>,
    progress: Arc<AtomicU64>,
    changed: Arc<Notify>,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let capabilities = if self.answer.is_some() {
            ClientCapabilities::builder().enable_elicitation().build()
        } else {
            ClientCapabilities::default()
        };
        ClientConfig::new(capabilities, Implementation::new("rmcp", "1"))
    }

    async fn create_elicitation(
        &self,
        _request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(self.answer.clone().unwrap_or_default()))
    }

    async fn on_progress(&self, _params: ProgressNotificationParam, _context: NotificationContext<RoleClient>) {
        self.progress.fetch_add(1, Ordering::SeqCst);
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }
}

#[derive(Default)]
struct Session {
    handler: Handler,
    service: Option<RunningService<RoleClient, Handler>>,
    call: Option<RequestHandle<RoleClient>>,
}

impl Session {
    fn service(&self) -> Result<&RunningService<RoleClient, Handler>, Failure> {
        self.service.as_ref().ok_or_else(|| "not connected".into())
    }

    async fn run(&mut self, operation: &Value) -> Result<Value, Failure> {
        match text(operation, "do")?.as_str() {
            "connect" => self.connect(operation).await,
            "listTools" => {
                let tools = self.service()?.list_all_tools().await?;
                Ok(tools.iter().map(|tool| tool.name.to_string()).collect())
            }
            "callTool" => self.call_tool(operation).await,
            "startCall" => {
                let request = ClientRequest::CallToolRequest(CallToolRequest::new(call_params(operation)?));
                let options = PeerRequestOptions::default();
                self.call = Some(self.service()?.send_cancellable_request(request, options).await?);
                Ok(Value::Null)
            }
            "cancelCall" => {
                self.call.take().ok_or("no call")?.cancel(None).await?;
                Ok(Value::Null)
            }
            "listResources" => {
                let resources = self.service()?.list_all_resources().await?;
                Ok(resources.iter().map(|resource| resource.uri.to_string()).collect())
            }
            "readResource" => {
                let params = ReadResourceRequestParams::new(text(operation, "uri")?);
                let result = self.service()?.read_resource(params).await?;
                Ok(texts(&serde_json::to_value(result)?["contents"]))
            }
            "listPrompts" => {
                let prompts = self.service()?.list_all_prompts().await?;
                Ok(prompts.iter().map(|prompt| prompt.name.to_string()).collect())
            }
            "getPrompt" => {
                let params = GetPromptRequestParams::new(text(operation, "name")?);
                let result = serde_json::to_value(self.service()?.get_prompt(params).await?)?;
                let contents: Value = items(&result["messages"]).map(|message| message["content"].clone()).collect();
                Ok(texts(&contents))
            }
            // The library opens the stream of notifications by itself.
            "watch" => Ok(Value::Null),
            "waitForChange" => {
                self.handler.changed.notified().await;
                Ok(Value::Null)
            }
            "close" => {
                if let Some(service) = self.service.take() {
                    service.cancel().await?;
                }
                Ok(Value::Null)
            }
            other => Err(format!("unknown operation {other}").into()),
        }
    }

    async fn connect(&mut self, operation: &Value) -> Result<Value, Failure> {
        let mut headers = HashMap::new();
        if let Some(given) = operation["headers"].as_object() {
            for (name, value) in given {
                let value = HeaderValue::from_str(value.as_str().unwrap_or_default())?;
                headers.insert(HeaderName::from_bytes(name.as_bytes())?, value);
            }
        }
        let config = StreamableHttpClientTransportConfig::with_uri(text(operation, "url")?).custom_headers(headers);
        self.handler = Handler { answer: operation.get("answer").cloned(), ..Handler::default() };
        let service = self.handler.clone().serve(StreamableHttpClientTransport::from_config(config)).await?;
        let info = serde_json::to_value(service.peer_info())?;
        self.service = Some(service);
        Ok(json!({ "server": info["serverInfo"]["name"], "protocol": info["protocolVersion"] }))
    }

    async fn call_tool(&self, operation: &Value) -> Result<Value, Failure> {
        self.handler.progress.store(0, Ordering::SeqCst);
        let result = self.service()?.call_tool(call_params(operation)?).await?;
        let value = serde_json::to_value(result)?;
        let images: Value = items(&value["content"])
            .filter(|item| item["type"] == "image")
            .map(|item| json!({ "mimeType": item["mimeType"], "data": item["data"] }))
            .collect();
        Ok(json!({
            "texts": texts(&value["content"]),
            "images": images,
            "structured": value["structuredContent"],
            "isError": value["isError"] == true,
            "progress": self.handler.progress.load(Ordering::SeqCst),
        }))
    }
}

fn call_params(operation: &Value) -> Result<CallToolRequestParams, Failure> {
    let arguments = operation["arguments"].as_object().cloned().unwrap_or_default();
    Ok(CallToolRequestParams::new(text(operation, "name")?).with_arguments(arguments))
}

fn text(operation: &Value, key: &str) -> Result<String, Failure> {
    Ok(operation[key].as_str().ok_or_else(|| format!("no {key}"))?.to_string())
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn texts(list: &Value) -> Value {
    items(list).filter_map(|item| item["text"].as_str()).collect()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let mut session = Session::default();
    while let Some(line) = lines.next_line().await? {
        let answer = match session.run(&serde_json::from_str(&line)?).await {
            Ok(value) => json!({ "value": value }),
            Err(error) => json!({ "error": error.to_string() }),
        };
        println!("{answer}");
    }
    Ok(())
}
