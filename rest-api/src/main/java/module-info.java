/** Training jobs over HTTP. */
module dev.halfcell.rest {
  requires com.github.benmanes.caffeine;
  requires com.networknt.schema;
  requires dev.halfcell.amp;
  requires transitive dev.halfcell.framework;
  requires transitive dev.halfcell.zoo;
  requires flyway.core;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http;
  requires io.netty.transport;
  requires io.opentelemetry.api;
  requires io.opentelemetry.context;
  requires io.opentelemetry.sdk;
  requires io.opentelemetry.sdk.autoconfigure;
  requires io.opentelemetry.sdk.autoconfigure.spi;
  requires io.opentelemetry.sdk.common;
  requires io.opentelemetry.sdk.trace;
  requires io.vertx.core;
  requires java.management;
  requires java.net.http;
  requires java.sql;
  requires micrometer.core;
  requires micrometer.registry.prometheus;
  requires org.postgresql.jdbc;
  requires org.xerial.sqlitejdbc;
  requires tools.jackson.core;
  requires tools.jackson.databind;
  requires tools.jackson.dataformat.yaml;

  exports dev.halfcell.rest;
  exports dev.halfcell.rest.client;
  exports dev.halfcell.rest.http;
  exports dev.halfcell.rest.job;
  exports dev.halfcell.rest.service;
  exports dev.halfcell.rest.store;
  exports dev.halfcell.rest.supervisor;
  exports dev.halfcell.rest.tracing;
  exports dev.halfcell.rest.worker;

  opens dev.halfcell.rest to
      tools.jackson.databind;
  opens dev.halfcell.rest.client to
      tools.jackson.databind;
  opens dev.halfcell.rest.job to
      tools.jackson.databind;
  opens dev.halfcell.rest.store to
      tools.jackson.databind;
  opens dev.halfcell.rest.worker to
      tools.jackson.databind;
}
