-- The rules that no writer may forget, whatever it is: stock moves only by rows of the journal, an order holds its
-- pieces in the statement that inserts it, states only move forward, and history is never rewritten.

CREATE TRIGGER `journal_moves_stock` AFTER INSERT ON `journal` WHEN NEW.`stock_delta` <> 0
BEGIN
  UPDATE `instruments` SET `available_quantity` = `available_quantity` + NEW.`stock_delta` WHERE `id` = NEW.`instrument_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `journal_is_never_changed` BEFORE UPDATE ON `journal`
BEGIN
  SELECT RAISE(ABORT, 'the journal is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `journal_is_never_deleted` BEFORE DELETE ON `journal`
BEGIN
  SELECT RAISE(ABORT, 'the journal is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `instruments_are_never_deleted` BEFORE DELETE ON `instruments`
BEGIN
  SELECT RAISE(ABORT, 'instruments are removed from sale, not deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `orders_begin_unpaid` BEFORE INSERT ON `orders`
BEGIN
  SELECT RAISE(ABORT, 'an order begins unpaid') WHERE NEW.`state` <> 'unpaid';
  SELECT RAISE(ABORT, 'not on sale at this price, from this minimum, in this quantity')
    WHERE NOT EXISTS (
      SELECT 1 FROM `instruments`
      WHERE `id` = NEW.`instrument_id` AND `removed_at` IS NULL AND `price_cents` = NEW.`unit_price_cents`
        AND NEW.`quantity` BETWEEN `min_quantity` AND `available_quantity`
    );
END;
--> statement-breakpoint
CREATE TRIGGER `orders_hold_stock` AFTER INSERT ON `orders`
BEGIN
  INSERT INTO `journal` (`at`, `event`, `actor`, `instrument_id`, `order_id`, `stock_delta`)
    VALUES (NEW.`created_at`, 'order placed', NEW.`moved_by`, NEW.`instrument_id`, NEW.`id`, -NEW.`quantity`);
END;
--> statement-breakpoint
CREATE TRIGGER `orders_keep_their_terms` BEFORE UPDATE OF `id`, `customer_id`, `instrument_id`, `submission_id`, `product_name`,
  `unit_price_cents`, `quantity`, `total_cents`, `customer_email`, `created_at` ON `orders`
BEGIN
  SELECT RAISE(ABORT, 'the terms of an order are never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `orders_move_forward` BEFORE UPDATE OF `state` ON `orders`
WHEN NOT (
  (OLD.`state` = 'unpaid' AND NEW.`state` IN ('paid', 'cancelled')) OR (OLD.`state` = 'paid' AND NEW.`state` = 'shipped')
)
BEGIN
  SELECT RAISE(ABORT, 'an order only moves from unpaid to paid or cancelled, and from paid to shipped');
END;
--> statement-breakpoint
CREATE TRIGGER `orders_keep_their_payment` BEFORE UPDATE OF `transaction_id`, `paid_at` ON `orders` WHEN OLD.`transaction_id` IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a paid order keeps its payment');
END;
--> statement-breakpoint
CREATE TRIGGER `orders_paid` AFTER UPDATE OF `state` ON `orders` WHEN NEW.`state` = 'paid'
BEGIN
  INSERT INTO `journal` (`at`, `event`, `actor`, `instrument_id`, `order_id`, `note`)
    VALUES (NEW.`paid_at`, 'order paid', NEW.`moved_by`, NEW.`instrument_id`, NEW.`id`, NEW.`transaction_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `orders_shipped` AFTER UPDATE OF `state` ON `orders` WHEN NEW.`state` = 'shipped'
BEGIN
  INSERT INTO `journal` (`at`, `event`, `actor`, `instrument_id`, `order_id`)
    VALUES (NEW.`shipped_at`, 'order shipped', NEW.`moved_by`, NEW.`instrument_id`, NEW.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `orders_give_stock_back` AFTER UPDATE OF `state` ON `orders` WHEN NEW.`state` = 'cancelled'
BEGIN
  INSERT INTO `journal` (`at`, `event`, `actor`, `instrument_id`, `order_id`, `stock_delta`)
    VALUES (NEW.`cancelled_at`, 'order cancelled', NEW.`moved_by`, NEW.`instrument_id`, NEW.`id`, NEW.`quantity`);
END;
--> statement-breakpoint
CREATE TRIGGER `orders_are_never_deleted` BEFORE DELETE ON `orders`
BEGIN
  SELECT RAISE(ABORT, 'orders are cancelled, not deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `users_keep_their_orders` BEFORE DELETE ON `users`
WHEN EXISTS (SELECT 1 FROM `orders` WHERE `customer_id` = OLD.`id`)
BEGIN
  SELECT RAISE(ABORT, 'a customer with orders is never deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `payments_only_for_unpaid_orders` BEFORE INSERT ON `payment_attempts`
WHEN NOT EXISTS (SELECT 1 FROM `orders` WHERE `id` = NEW.`order_id` AND `state` = 'unpaid')
BEGIN
  SELECT RAISE(ABORT, 'only an unpaid order can be paid');
END;
--> statement-breakpoint
CREATE TRIGGER `refunds_only_of_payments_that_pay_nothing` BEFORE INSERT ON `refunds`
WHEN EXISTS (SELECT 1 FROM `orders` WHERE `transaction_id` = NEW.`transaction_id`)
BEGIN
  SELECT RAISE(ABORT, 'a payment that pays an order is not refunded here');
END;
