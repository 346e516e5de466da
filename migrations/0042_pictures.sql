ALTER TABLE `instruments` ADD `alt` text DEFAULT '' NOT NULL
  CONSTRAINT "instruments_alt" CHECK(length("alt") <= 200);
--> statement-breakpoint
ALTER TABLE `instruments` ADD `pictures` text DEFAULT '[]' NOT NULL
  CONSTRAINT "instruments_pictures" CHECK(json_type("pictures") = 'array' AND json_array_length("pictures") <= 7);
