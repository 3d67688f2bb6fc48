package dev.halfcell.rest.store;

import java.util.Map;
import java.util.Optional;

/** What is said anew of a job; what is empty stays as it is, an empty text or map unsays it. */
public record DescriptionChange(
    Optional<String> name,
    Optional<Map<String, String>> labels,
    Optional<String> notes,
    Optional<Integer> priority,
    Optional<Boolean> pinned) {}
