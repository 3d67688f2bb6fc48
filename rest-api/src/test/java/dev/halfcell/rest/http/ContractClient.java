package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Asks a server of this machine, and holds each answer to the document. */
final class ContractClient implements AutoCloseable {
  private static final Contract CONTRACT = new Contract();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final int port;

  ContractClient(int port) {
    this.port = port;
  }

  /** An answer that the document allows. */
  record Reply(HttpResponse<byte[]> response) {
    Reply expect(int status) {
      assertEquals(status, response.statusCode(), this::text);
      return this;
    }

    int status() {
      return response.statusCode();
    }

    String text() {
      return new String(response.body(), StandardCharsets.UTF_8);
    }

    JsonNode json() {
      return Json.read(text());
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }
  }

  Reply get(String path, String... headers) {
    return send("GET", path, "", headers);
  }

  Reply post(String path, String body, String... headers) {
    return send("POST", path, body, headers);
  }

  /** Sends; a body is said to be JSON where no header says something else. */
  Reply send(String method, String path, String body, String... headers) {
    HttpRequest.Builder request = request(path, headers);
    if (!body.isEmpty() && !String.join(" ", headers).contains("Content-Type")) {
      request.header("Content-Type", "application/json");
    }
    request.method(
        method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    return reply(method, path, request.build());
  }

  /** Sends bytes as JSON. */
  Reply bytes(String path, byte[] body) {
    HttpRequest.Builder request = request(path).header("Content-Type", "application/json");
    return reply("POST", path, request.POST(BodyPublishers.ofByteArray(body)).build());
  }

  private Reply reply(String method, String path, HttpRequest request) {
    try {
      HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
      CONTRACT.check(method, path, response);
      return new Reply(response);
    } catch (IOException e) {
      throw new AssertionError(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** An answer that goes on. */
  InputStream stream(String path, String... headers) {
    try {
      HttpResponse<InputStream> response =
          client.send(request(path, headers).build(), BodyHandlers.ofInputStream());
      assertEquals(200, response.statusCode());
      return response.body();
    } catch (IOException e) {
      throw new AssertionError(path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(20));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return request;
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
