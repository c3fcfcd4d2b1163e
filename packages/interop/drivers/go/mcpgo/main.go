// The library mcp-go.
package main

import (
	"context"
	"encoding/base64"

	"gateway.internal/compat/driver"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

type connection struct {
	client *client.Client
	info   driver.Info
}

type answering map[string]any

func (answer answering) Elicit(context.Context, mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	response := mcp.ElicitationResponse{Action: mcp.ElicitationResponseActionAccept, Content: map[string]any(answer)}
	return &mcp.ElicitationResult{ElicitationResponse: response}, nil
}

func connect(ctx context.Context, o driver.Operation, events *driver.Events) (driver.Connection, error) {
	http, err := transport.NewStreamableHTTP(o.URL, transport.WithHTTPHeaders(o.Headers),
		transport.WithContinuousListening())
	if err != nil {
		return nil, err
	}
	options := []client.ClientOption{}
	if o.Answer != nil {
		options = append(options, client.WithElicitationHandler(answering(o.Answer)))
	}
	opened := client.NewClient(http, options...)
	opened.OnNotification(func(notification mcp.JSONRPCNotification) {
		switch notification.Method {
		case "notifications/progress":
			events.Progress.Add(1)
		case "notifications/tools/list_changed":
			events.ToolsChanged()
		}
	})
	if err := opened.Start(ctx); err != nil {
		return nil, err
	}
	request := mcp.InitializeRequest{}
	request.Params.ClientInfo = mcp.Implementation{Name: "mcp-go", Version: "1"}
	result, err := opened.Initialize(ctx, request)
	if err != nil {
		return nil, err
	}
	return &connection{opened, driver.Info{Server: result.ServerInfo.Name, Protocol: result.ProtocolVersion}}, nil
}

func (c *connection) Info() driver.Info { return c.info }

func (c *connection) ListTools(ctx context.Context) ([]string, error) {
	answer, err := c.client.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, tool := range answer.Tools {
		names = append(names, tool.Name)
	}
	return names, nil
}

func (c *connection) CallTool(ctx context.Context, name string, arguments map[string]any, progress bool) (*driver.Result, error) {
	request := mcp.CallToolRequest{}
	request.Params.Name = name
	request.Params.Arguments = arguments
	if progress {
		request.Params.Meta = &mcp.Meta{ProgressToken: "progress"}
	}
	answer, err := c.client.CallTool(ctx, request)
	if err != nil {
		return nil, err
	}
	result := &driver.Result{Structured: answer.StructuredContent, IsError: answer.IsError}
	for _, item := range answer.Content {
		switch content := item.(type) {
		case mcp.TextContent:
			result.Texts = append(result.Texts, content.Text)
		case mcp.ImageContent:
			data, err := base64.StdEncoding.DecodeString(content.Data)
			if err != nil {
				return nil, err
			}
			result.Images = append(result.Images, driver.Image{MIMEType: content.MIMEType, Data: data})
		}
	}
	return result, nil
}

func (c *connection) ListResources(ctx context.Context) ([]string, error) {
	answer, err := c.client.ListResources(ctx, mcp.ListResourcesRequest{})
	if err != nil {
		return nil, err
	}
	uris := []string{}
	for _, resource := range answer.Resources {
		uris = append(uris, resource.URI)
	}
	return uris, nil
}

func (c *connection) ReadResource(ctx context.Context, uri string) ([]string, error) {
	request := mcp.ReadResourceRequest{}
	request.Params.URI = uri
	answer, err := c.client.ReadResource(ctx, request)
	if err != nil {
		return nil, err
	}
	texts := []string{}
	for _, item := range answer.Contents {
		if content, ok := item.(mcp.TextResourceContents); ok {
			texts = append(texts, content.Text)
		}
	}
	return texts, nil
}

func (c *connection) ListPrompts(ctx context.Context) ([]string, error) {
	answer, err := c.client.ListPrompts(ctx, mcp.ListPromptsRequest{})
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, prompt := range answer.Prompts {
		names = append(names, prompt.Name)
	}
	return names, nil
}

func (c *connection) GetPrompt(ctx context.Context, name string) ([]string, error) {
	request := mcp.GetPromptRequest{}
	request.Params.Name = name
	answer, err := c.client.GetPrompt(ctx, request)
	if err != nil {
		return nil, err
	}
	texts := []string{}
	for _, message := range answer.Messages {
		if content, ok := message.Content.(mcp.TextContent); ok {
			texts = append(texts, content.Text)
		}
	}
	return texts, nil
}

// Watch does nothing: with continuous listening, which selects revision 2025-11-25, notifications arrive by themselves.
func (c *connection) Watch(context.Context) error { return nil }

func (c *connection) Close() error { return c.client.Close() }

func main() { driver.Run(connect) }
