CREATE TABLE `settings_versions` (
	`version` integer PRIMARY KEY NOT NULL,
	`document` text NOT NULL,
	`saved_at` integer NOT NULL,
	`saved_by` text NOT NULL,
	CONSTRAINT "settings_versions_from_one" CHECK("settings_versions"."version" >= 1),
	CONSTRAINT "settings_versions_json" CHECK(json_type("settings_versions"."document") = 'object'),
	CONSTRAINT "settings_versions_size" CHECK(length("settings_versions"."document") <= 200000)
) STRICT;
--> statement-breakpoint
CREATE TRIGGER `settings_versions_never_change` BEFORE UPDATE ON `settings_versions`
BEGIN
  SELECT RAISE(ABORT, 'a version of the settings is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `settings_versions_without_a_gap` BEFORE INSERT ON `settings_versions`
WHEN NEW.`version` <> 1 + (SELECT coalesce(max(`version`), 0) FROM `settings_versions`)
BEGIN
  SELECT RAISE(ABORT, 'the settings have a newer version');
END;
